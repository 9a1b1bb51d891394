#!/usr/bin/env node
import './node-24.js'

await import('./foyer.ts')
