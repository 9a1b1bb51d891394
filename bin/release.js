// Run by "npm pack": puts what was built where the package has it, since the package brings nothing to build with.
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import './node-24.js'
import './build-fronts.js'
import './build-server.js'
import { BUILDS_FOLDER, RELEASED, readServerStamp } from './server-build.js'

const { RELEASED_BUILD, buildFolder, readBuildStamp } = await import('../src/fronts/build-stamp.ts')

const release = (built, target) => {
  rmSync(target, { recursive: true, force: true })
  cpSync(built, target, { recursive: true })
}

release(buildFolder(readBuildStamp()), buildFolder(RELEASED_BUILD))
release(path.join(BUILDS_FOLDER, readServerStamp()), path.join(BUILDS_FOLDER, RELEASED))
console.error('What is built is where the package has it.')
