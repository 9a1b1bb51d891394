/**
 * Loaded before Foyer where its own clock is to go with the moved one of its database. A file says by how many
 * milliseconds; whoever moves the clock writes it.
 */
import { readFileSync } from 'node:fs'
import { systemClock } from '../../../src/kernel/clock.ts'

const file = process.env['FOYER_TEST_CLOCK']!

systemClock.now = () => new Date(Date.now() + Number(readFileSync(file, 'utf8')))
