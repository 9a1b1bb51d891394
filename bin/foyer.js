#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import './node-24.js'

// What was compiled once is kept beside the packages, which halves the time to start. Where it cannot be kept, it is not.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/foyer', import.meta.url)))

if (import.meta.url.includes('/node_modules/')) await import('./strip-types.js')

await import('./foyer.ts')
