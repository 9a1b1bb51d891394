// Run by "npm pack": puts what was built of web/ where the package has it, since the package brings no sources to build from.
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import './node-24.js'
import './build-fronts.js'

const { RELEASED_BUILD, buildFolder, readBuildStamp } = await import('../src/fronts/build-stamp.ts')
const target = buildFolder(RELEASED_BUILD)
rmSync(target, { recursive: true, force: true })
cpSync(buildFolder(readBuildStamp()), target, { recursive: true })
console.error(`The fronts of the package are in ${path.relative(process.cwd(), target)}.`)
