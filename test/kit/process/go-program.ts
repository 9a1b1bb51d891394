import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { unpackGo } from './go-toolchain.ts'
import { findProgram } from './system-program.ts'

interface GoProgram {
  module: string
  version: string
  /** Like "The tests of Stripe need stripe-mock". */
  need: string
}

const CACHE = path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'foyer-tests')

/**
 * Where a program that is published as a Go module is: built from its source once, and kept outside of the project. Where
 * there is no Go, one is used that goes again when the program is built.
 */
export const findOrBuild = async ({ module, version, need }: GoProgram): Promise<string> => {
  const name = path.basename(module)
  const file = path.join(CACHE, `${name}-${version}`)
  if (existsSync(file)) return file

  process.stderr.write(`${need}; ${module}@${version} is being built with go install.\n`)
  mkdirSync(CACHE, { recursive: true })
  const folder = await mkdtemp(path.join(CACHE, 'build-'))
  try {
    const env = { ...process.env, ...environmentIn(folder), GOBIN: folder }
    const go = findProgram(['go']) ?? (await unpackGo(path.join(folder, 'go')))
    await promisify(execFile)(go, ['install', `${module}@${version}`], { env })
    // Whoever else was building it puts the same file there.
    renameSync(path.join(folder, name), file)
  } catch (cause) {
    throw new Error(`${need}, and go install ${module}@${version} has failed.`, { cause })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return file
}

/**
 * What Go keeps for later goes as well; it would write its modules so that nobody can delete them. Nothing is optimized:
 * a test asks such a program a few dozen times, and a quarter of the time to build it is saved.
 */
const environmentIn = (folder: string) => ({
  GOPATH: path.join(folder, 'modules'),
  GOCACHE: path.join(folder, 'cache'),
  GOFLAGS: `-modcacherw '-gcflags=all=-N -l' '-ldflags=-s -w'`,
  CGO_ENABLED: '0',
})
