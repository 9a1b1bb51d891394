import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs'
import { link, lstat, readFile, readlink, realpath, rm, stat, symlink } from 'node:fs/promises'
import path from 'node:path'

import { makeDataFolder } from '../kernel/data-folder.ts'
import { Misconfigured } from '../kernel/settings.ts'
import { syncFolder } from '../kernel/sync-folder.ts'
import {
  canEnterFolder,
  makeProtectedFolder,
  findUsableBinaries,
  runCommandAs,
  SYSTEM_FOLDER,
  chooseUnprivilegedUser,
} from './binaries.ts'
import type { PostgresBinaries, UnixUser } from './binaries.ts'
import { findOrCreatePostgresUser } from './unprivileged-user.ts'

/** Where one installation keeps its database, and whose hands it is in. */
export interface DataDirectory {
  dataFolder: string
  cluster: string
  binaries: PostgresBinaries
  password: string
}

const LOG_SIZE_MAX = 10 * 1024 * 1024

export const prepareDataDirectory = async (folder: string): Promise<DataDirectory> => {
  const dataFolder = await openDataFolder(folder)
  const ours = path.join(dataFolder, 'postgres')
  const existing = await nullIfMissing(stat(ours))
  const isMade = (await nullIfMissing(stat(path.join(ours, 'PG_VERSION')))) !== null
  if (existing && isMade) refuseForeignOwner(ours, existing.uid)

  const runsAs = isMade && existing ? chooseUnprivilegedUser(existing) : await chooseRunner(dataFolder)
  const binaries = await findUsableBinaries({ runsAs, fallbackFolder: path.join(dataFolder, 'postgres-binaries') })
  const cluster = await placeCluster(dataFolder, ours, binaries)
  if (isMade) await refuseOtherVersion(cluster, binaries)
  return { dataFolder, cluster, binaries, password: await readPassword(dataFolder, isMade) }
}

export const refuseOtherVersion = async (cluster: string, binaries: PostgresBinaries) => {
  const major = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (major !== binaries.major) {
    throw new Misconfigured(
      `The database in ${cluster} is of PostgreSQL ${major} and this Foyer brings PostgreSQL ${binaries.major}: dump it with the older Foyer and restore it into a new data folder.`,
    )
  }
}

/** The server appends to this file; it is started over when it has grown too long. */
export const openServerLog = ({ dataFolder }: DataDirectory) => {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  const log = openSync(path.join(dataFolder, 'postgres.log'), flags, 0o600)
  const { size } = fstatSync(log)
  if (size > LOG_SIZE_MAX) ftruncateSync(log)
  if (size === 0) giveAway(log, keeperOf(statSync(dataFolder)))
  return log
}

export const truncateLongLog = (place: DataDirectory) => closeSync(openServerLog(place))

export const nullIfMissing = async <T>(promise: Promise<T>): Promise<T | null> => {
  try {
    return await promise
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

const openDataFolder = async (folder: string) => {
  try {
    makeDataFolder(folder)
    return await realpath(folder)
  } catch (error) {
    throw new Misconfigured(`The data folder ${folder} cannot be made (${(error as Error).message}).`)
  }
}

const refuseForeignOwner = (cluster: string, owner: number) => {
  const self = process.getuid?.()
  if (self === 0 && owner === 0) {
    throw new Misconfigured(
      `The database in ${cluster} belongs to root, as whom PostgreSQL does not run: give it to another user with "chown -R".`,
    )
  }
  if (self !== 0 && owner !== self) {
    throw new Misconfigured(
      `The database in ${cluster} belongs to another user (uid ${owner}): start Foyer as that user or as root, or choose another FOYER_DATA.`,
    )
  }
}

/**
 * Whom a new cluster belongs to. Root gives it to the owner of the folder, or else to a user of its own. initdb refuses
 * users without a name; such owners are met where a container mounts a folder of its host.
 */
const chooseRunner = async (dataFolder: string): Promise<UnixUser> => {
  if (process.getuid?.() !== 0) return chooseUnprivilegedUser()
  const folder = await stat(dataFolder)
  if (folder.uid !== 0) {
    const owner = chooseUnprivilegedUser(folder)
    if ((await runCommandAs(owner, 'id', ['-un'])).code === 0) return owner
  }
  return (await findOrCreatePostgresUser()) ?? chooseUnprivilegedUser()
}

/** A data folder that PostgreSQL's user cannot reach holds a link to a cluster that it can. */
const placeCluster = async (dataFolder: string, ours: string, binaries: PostgresBinaries) => {
  const facts = await nullIfMissing(lstat(ours))
  if (facts === null && binaries.uid !== null && !(await canEnterFolder(binaries, dataFolder))) {
    await makeProtectedFolder(SYSTEM_FOLDER)
    const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12)
    // The random end keeps a new installation from meeting the database of a deleted one at the same path.
    await symlink(path.join(SYSTEM_FOLDER, `${hash}-${randomBytes(3).toString('hex')}`), ours).catch(unlessThere)
  }
  const cluster = await followLink(dataFolder, ours)
  const reached = (await nullIfMissing(stat(cluster))) ? cluster : path.dirname(cluster)
  if (binaries.uid !== null && !(await canEnterFolder(binaries, reached))) {
    throw new Misconfigured(`The user who runs PostgreSQL (uid ${binaries.uid}) cannot reach its folder ${cluster}.`)
  }
  return cluster
}

const followLink = async (dataFolder: string, ours: string) => {
  const facts = await nullIfMissing(lstat(ours))
  if (!facts?.isSymbolicLink()) return ours
  const found = await nullIfMissing(realpath(ours))
  if (found !== null) return found

  // A server has run here before, so an empty database in place of the lost one would be a nasty surprise.
  const target = path.resolve(dataFolder, await readlink(ours))
  if (await nullIfMissing(stat(path.join(dataFolder, 'postgres.log')))) {
    throw new Misconfigured(
      `The database is gone from ${target}: bring it back, or remove the link ${ours} to begin with an empty one.`,
    )
  }
  return target
}

const readPassword = async (dataFolder: string, isMade: boolean) => {
  const file = path.join(dataFolder, 'postgres-password')
  try {
    const kept = await nullIfMissing(readFile(file, 'utf8'))
    if (kept === null && isMade) throw new Misconfigured(`The password of the embedded database is missing: ${file}.`)
    if (kept === null) await makePassword(dataFolder, file)
    const password = (kept ?? (await readFile(file, 'utf8'))).trim()
    if (!password) throw new Misconfigured(`The password of the embedded database is empty: ${file}.`)
    return password
  } catch (error) {
    if (error instanceof Misconfigured) throw error
    throw new Misconfigured(`The data folder ${dataFolder} cannot be used (${(error as Error).message}).`)
  }
}

/** Whole under its name or not there at all; of two processes that make it at once, both then read the first one's. */
const makePassword = async (dataFolder: string, file: string) => {
  const fresh = `${file}-${randomBytes(6).toString('hex')}`
  writePrivateFile(fresh, randomBytes(32).toString('base64url'), keeperOf(await stat(dataFolder)))
  try {
    await link(fresh, file).catch(unlessThere)
  } finally {
    await rm(fresh, { force: true })
  }
  await syncFolder(dataFolder)
}

/** What root makes in another user's folder is handed to that user, by descriptor: names there may be swapped. */
export const writePrivateFile = (file: string, text: string, owner: UnixUser) => {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    giveAway(descriptor, owner)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Whom our files in the data folder belong to: its owner; null: ourselves. */
const keeperOf = (folder: { uid: number; gid: number }): UnixUser =>
  process.getuid?.() === 0 && folder.uid !== 0 ? { uid: folder.uid, gid: folder.gid } : { uid: null, gid: null }

const giveAway = (descriptor: number, { uid, gid }: UnixUser) => {
  fchmodSync(descriptor, 0o600)
  if (uid !== null) fchownSync(descriptor, uid, gid ?? uid)
}

const unlessThere = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EEXIST') throw error
}
