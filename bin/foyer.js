#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'
import path from 'node:path'
import './node-24.js'
import { BUILDS_FOLDER, ENTRY, readServerStamp } from './server-build.js'

// What was compiled once is kept beside the packages, which halves the time to start. Where it cannot be kept, it is not.
module.enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/foyer'))

const built = path.join(BUILDS_FOLDER, readServerStamp(), ENTRY)
await import(existsSync(built) ? built : './foyer.ts')
