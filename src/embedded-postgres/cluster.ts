import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, rename, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { Misconfigured } from '../kernel/settings.ts'
import { syncFolder } from '../kernel/sync-folder.ts'
import { refuseOtherVersion, nullIfMissing, writePrivateFile } from './data-directory.ts'
import type { DataDirectory } from './data-directory.ts'
import { runCommandAs, runPostgresTool } from './binaries.ts'

export const DATABASE_OWNER = 'foyer'

/**
 * Makes the cluster where there is none. It is made in a workshop beside its place and moved there when it is whole
 * and on disk, so a first start that is killed leaves nothing that looks like a database. Only one process at a time
 * may come here.
 */
export const ensureCluster = async (place: DataDirectory) => {
  const { cluster, binaries } = place
  if (await nullIfMissing(stat(path.join(cluster, 'PG_VERSION')))) return refuseOtherVersion(cluster, binaries)
  if (((await nullIfMissing(readdir(cluster))) ?? []).length > 0) {
    throw new Misconfigured(`The folder ${cluster} holds something else than a PostgreSQL database.`)
  }

  await clearWorkshops(place)
  const workshop = `${workshopPrefix(cluster)}${randomBytes(4).toString('hex')}`
  try {
    await openWorkshop(place, workshop)
    const made = await initialise(place, workshop)
    await rename(made, cluster)
    await syncFolder(path.dirname(cluster))
  } finally {
    await removeWorkshop(place, workshop)
  }
}

export const refuseMissingCluster = async ({ cluster }: DataDirectory) => {
  if (!(await nullIfMissing(stat(path.join(cluster, 'PG_VERSION'))))) {
    throw new Error(`The database is gone from ${cluster}.`)
  }
}

const initialise = async ({ binaries, password }: DataDirectory, workshop: string) => {
  const folder = path.join(workshop, 'cluster')
  const passwordFile = path.join(workshop, 'password')
  writePrivateFile(passwordFile, password, binaries)
  const result = await runPostgresTool(binaries, 'initdb', [
    `--pgdata=${folder}`,
    `--username=${DATABASE_OWNER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ])
  if (result.code !== 0) {
    if (result.stderr.includes('could not look up effective user ID')) {
      throw new Misconfigured(
        `PostgreSQL needs a user with a name, and uid ${binaries.uid ?? process.getuid?.()} has none: add it to /etc/passwd, or set DATABASE_URL to a PostgreSQL of your own.`,
      )
    }
    const fault = result.stderr.trim().split('\n')[0]
    throw new Misconfigured(`The embedded database could not be made in ${path.dirname(workshop)} (${fault}).`)
  }
  return folder
}

const workshopPrefix = (cluster: string) => `${cluster}-new-`

/** In a folder of their own the user makes it, so root changes the owner of nothing that could be swapped under it. */
const openWorkshop = async ({ binaries }: DataDirectory, workshop: string) => {
  const parent = await stat(path.dirname(workshop))
  if (binaries.uid !== null && parent.uid === binaries.uid) {
    const made = await runCommandAs(binaries, 'mkdir', ['-m', '0700', '--', workshop])
    if (made.code !== 0) throw new Misconfigured(`The folder ${workshop} cannot be made (${made.stderr.trim()}).`)
    return
  }
  try {
    await mkdir(workshop, { mode: 0o700 })
    if (binaries.uid !== null) await chown(workshop, binaries.uid, binaries.gid ?? binaries.uid)
  } catch (error) {
    throw new Misconfigured(`The folder ${workshop} cannot be made (${(error as Error).message}).`)
  }
}

const clearWorkshops = async (place: DataDirectory) => {
  const parent = path.dirname(place.cluster)
  const prefix = path.basename(workshopPrefix(place.cluster))
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await removeWorkshop(place, path.join(parent, name))
  }
}

/**
 * Emptied as the user whose it is: root deletes nothing inside a folder that somebody else may change meanwhile.
 * The initdb of a process that was killed may still be at work in it, until it finds its files gone.
 */
const removeWorkshop = async ({ binaries }: DataDirectory, workshop: string) => {
  for (let tries = 1; ; tries++) {
    await runCommandAs(binaries, 'rm', ['-rf', '--', workshop])
    try {
      await nullIfMissing(rmdir(workshop))
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tries === 50) throw error
      await delay(50)
    }
  }
}
