import { runDueJobs } from '../../src/main.ts'
import { print, settings } from '../command-line.ts'

export const run = async () => print(String(await runDueJobs(settings())))
