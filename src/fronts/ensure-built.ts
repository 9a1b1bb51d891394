import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Log } from '../kernel/log.ts'
import { REPOSITORY_ROOT, buildFolder, readBuildStamp } from './build-stamp.ts'

/**
 * Builds the fronts where their sources are newer than what `npm ci` built. In a process of its own, which takes its
 * memory along when it ends. Where nothing can be built, everything but the fronts is served.
 */
export const ensureBuilt = async (log: Pick<Log, 'warn'>): Promise<void> => {
  if (existsSync(buildFolder(readBuildStamp()))) return
  const script = path.join(REPOSITORY_ROOT, 'bin/build-fronts.js')
  const building = spawn(process.execPath, [script], { cwd: REPOSITORY_ROOT, stdio: ['ignore', 'ignore', 'pipe'] })
  const said: Buffer[] = []
  building.stderr.on('data', (piece: Buffer) => said.push(piece))
  await once(building, 'close')
  if (existsSync(buildFolder(readBuildStamp()))) return
  log.warn({ said: Buffer.concat(said).toString().slice(-2_000) }, 'the console could not be built')
}
