import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

interface SystemProgram {
  /** Any of them will do. */
  names: string[]
  debianPackage: string
  /** Like "The browser tests need a Chromium". */
  need: string
}

export const isRoot = process.getuid?.() === 0

/** Where the program is, brought along where there is none and we may. */
export const findOrInstall = (program: SystemProgram): string => findProgram(program.names) ?? install(program)

export const findProgram = (names: readonly string[]): string | null => {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return files.find(isExecutable) ?? null
}

const isExecutable = (file: string) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const install = ({ names, debianPackage, need }: SystemProgram): string => {
  if (!isRoot) throw new Error(`${need}: install ${debianPackage}, or run them as root so that they can do it.`)
  process.stderr.write(`${need}; ${debianPackage} is being installed with apt-get.\n`)
  try {
    // Test files run side by side, and apt-get does not wait for another one.
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', debianPackage)
  } catch (cause) {
    throw new Error(`${need}, and apt-get could not install ${debianPackage}: install it by hand.`, { cause })
  }
  const found = findProgram(names)
  if (!found) throw new Error(`${need}, and ${debianPackage} did not bring it: install it by hand.`)
  return found
}

const aptGet = (...commands: string[]) =>
  execFileSync('flock', [path.join(tmpdir(), 'foyer-tests-apt.lock'), 'apt-get', ...commands], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
