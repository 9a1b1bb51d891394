import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { findOrInstall } from './system-program.ts'

interface GoProgram {
  module: string
  version: string
  /** Like "The tests of Stripe need stripe-mock". */
  need: string
}

const CACHE = path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'foyer-tests')

/** Where a program that is published as a Go module is: built from its source once, and kept outside of the project. */
export const findOrBuild = ({ module, version, need }: GoProgram): string => {
  const name = path.basename(module)
  const file = path.join(CACHE, `${name}-${version}`)
  if (existsSync(file)) return file

  const go = findOrInstall({ names: ['go'], debianPackage: 'golang-go', need: `${need}, which is built with Go` })
  process.stderr.write(`${need}; ${module}@${version} is being built with go install.\n`)
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(path.join(CACHE, 'build-'))
  try {
    execFileSync(go, ['install', `${module}@${version}`], { stdio: 'pipe', env: { ...process.env, GOBIN: folder } })
    // Whoever else was building it puts the same file there.
    renameSync(path.join(folder, name), file)
  } catch (cause) {
    throw new Error(`${need}, and go install ${module}@${version} has failed.`, { cause })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return file
}
