import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { openLongClient } from '../database/long-connection.ts'
import { makeDataFolder } from '../kernel/data-folder.ts'
import { HOUR_MS } from '../kernel/durations.ts'
import { type BackupSchedule, Misconfigured, type ObjectStoreSettings, type Settings } from '../kernel/settings.ts'
import { syncFolder } from '../kernel/sync-folder.ts'
import { writeArchive } from './archive.ts'
import { openBackupStore } from './backup-store.ts'
import { type BackupReport, backUp } from './back-up.ts'
import { BACKUP_CONNECTION, recordBackup } from './records.ts'
import { archiveName, archivesToRemove, draftName, isDraftName } from './rules.ts'

export interface BackupFile extends BackupReport {
  file: string
  bytes: number
}

interface BackupContext {
  settings: Settings
  connection: pg.ClientConfig | pg.Pool
  now: Date
  isScheduled?: boolean
  /** Whoever stops it leaves nothing of it. */
  signal?: AbortSignal
}

/** Writes the archive under its name only when it is whole and on the disk. */
export const writeBackupFile = async (file: string, context: BackupContext): Promise<BackupFile> => {
  const draft = await draftBackupFile(file, context)
  try {
    return await draft.keep()
  } finally {
    await draft.forget()
  }
}

/** An archive that is whole and on the disk, and has its name only once it is kept. */
export interface BackupDraft {
  keep(): Promise<BackupFile>
  /** Leaves nothing of what was not kept. */
  forget(): Promise<void>
}

export const draftBackupFile = async (file: string, context: BackupContext): Promise<BackupDraft> => {
  const draft = draftName(file)
  const handle = await open(draft, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw explainWriting(file, error)
  })
  const forget = () => rm(draft, { force: true })
  try {
    const report = await writeInto(handle.createWriteStream({ flush: true }), context)
    const { size } = await stat(draft)
    const keep = async () => {
      await rename(draft, file).catch((error: NodeJS.ErrnoException) => {
        throw explainWriting(file, error)
      })
      await syncFolder(path.dirname(path.resolve(file)))
      await tellDatabase(context, path.basename(file), size)
      return { ...report, file, bytes: size }
    }
    return { keep, forget }
  } catch (error) {
    await forget()
    throw explainWriting(file, error as NodeJS.ErrnoException)
  } finally {
    await handle.close()
  }
}

const DISK_FAULTS: Record<string, string> = {
  EEXIST: 'another backup is being written there; remove the .partial file if that one was killed',
  ENOENT: 'the folder does not exist',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
}

const explainWriting = (file: string, error: NodeJS.ErrnoException): Error => {
  if (error.syscall === undefined || error.code === undefined) return error
  return new Misconfigured(`The backup ${file} could not be written: ${DISK_FAULTS[error.code] ?? error.message}.`)
}

const tellDatabase = async (context: BackupContext, target: string, bytes: number): Promise<void> => {
  const { connection, now: startedAt, isScheduled = false } = context
  const client = await openLongClient(connection, BACKUP_CONNECTION)
  try {
    await recordBackup(client, { startedAt, target, bytes, isScheduled })
  } finally {
    await client.end()
  }
}

/** One more backup in the folder of the schedule, and none too many. */
export const addScheduledBackup = async (context: BackupContext): Promise<BackupFile | null> => {
  const { backup, backupPassphrase } = context.settings
  if (!backup) return null
  const name = archiveName(context.now, backupPassphrase !== null)
  const scheduled = { ...context, isScheduled: true }
  if (backup.store) return addToStore(name, scheduled, { ...backup, store: backup.store })

  makeDataFolder(backup.folder)
  await removeForgottenDrafts(backup.folder)
  const written = await writeBackupFile(path.join(backup.folder, name), scheduled)
  for (const old of archivesToRemove(await readdir(backup.folder), backup.keep)) {
    await rm(path.join(backup.folder, old), { force: true })
  }
  return written
}

/** So long after the last byte a draft is no longer being written: its process was killed. */
const FORGOTTEN_AFTER_MS = HOUR_MS

const removeForgottenDrafts = async (folder: string): Promise<void> => {
  for (const name of (await readdir(folder)).filter(isDraftName)) {
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file)
    if (Date.now() - mtimeMs > FORGOTTEN_AFTER_MS) await rm(file, { force: true })
  }
}

const addToStore = async (
  name: string,
  context: BackupContext,
  { store: settings, folder, keep }: BackupSchedule & { store: ObjectStoreSettings },
): Promise<BackupFile> => {
  const store = openBackupStore(settings, folder)
  let report: BackupReport | null = null
  const bytes = await store.write(name, async (sink) => {
    report = await writeInto(sink, context)
  })
  const file = `s3://${settings.bucket}/${folder}/${name}`
  await tellDatabase(context, name, bytes)
  for (const old of archivesToRemove(await store.list(), keep)) await store.remove(old)
  return { ...report!, file, bytes }
}

const writeInto = async (sink: Writable, context: BackupContext): Promise<BackupReport> => {
  const { promise, resolve } = Promise.withResolvers<BackupReport>()
  const { settings, now, signal } = context
  const options = { passphrase: settings.backupPassphrase, now, signal }
  await writeArchive(sink, options, async (archive) => resolve(await backUp(archive, context)))
  return promise
}
