import path from 'node:path'
import type pg from 'pg'
import type { App } from '../access/app.ts'
import { openLongClient } from '../database/long-connection.ts'
import type { Shard } from '../database/shards.ts'
import { holdMoves } from '../shards/records.ts'
import { BACKUP_CONNECTION, lockScheduledBackup } from './records.ts'
import {
  type BackupDraft,
  type BackupFile,
  addScheduledBackup,
  draftBackupFile,
  writeBackupFile,
} from './write-backup-file.ts'

/** Where the archive of a further server lies, beside that of the first. */
export const serverBackup = (file: string, shard: string) => `${file}.${shard}`

/**
 * An archive of each server, the first one's last: what the directory knows too much leads nowhere, and what it knew too
 * little would be lost. Nothing moves meanwhile.
 */
const eachServer = async <T>({ shards }: App, back: (shard: Shard) => Promise<T>): Promise<T[]> => {
  if (!shards) return []
  const [main, ...others] = shards.all
  const directory = await openLongClient(main!.connection, BACKUP_CONNECTION)
  try {
    await holdMoves(directory)
    const written: T[] = []
    for (const shard of [...others, main!]) written.push(await back(shard))
    return written
  } finally {
    await directory.end()
  }
}

export const writeBackupFiles = async (app: App, connection: pg.ClientConfig, file: string): Promise<BackupFile[]> => {
  const { settings, shards, clock } = app
  const now = clock.now()
  if (!shards) return [await writeBackupFile(file, { settings, connection, now })]
  const drafts: BackupDraft[] = []
  try {
    await eachServer(app, async (shard) => {
      const name = shard === shards.all[0] ? file : serverBackup(file, shard.name)
      drafts.push(await draftBackupFile(name, { settings, connection: shard.connection, now }))
    })
    // None of them has its name before all of them are whole: an earlier backup of that name stays one until then.
    const written: BackupFile[] = []
    for (const draft of drafts) written.push(await draft.keep())
    return written
  } finally {
    for (const draft of drafts) await draft.forget()
  }
}

interface ScheduledBackup {
  now: Date
  /** Asked by whoever makes it, after everybody else's is finished and recorded. */
  isDue: () => Promise<boolean>
  signal: AbortSignal
}

/** The backup of the schedule, where it is due and nobody else is making it: it may take longer than until it is asked for again. */
export const addDueBackups = async (app: App, { isDue, ...backup }: ScheduledBackup): Promise<BackupFile | null> => {
  const holder = await openLongClient(app.database.pool, BACKUP_CONNECTION)
  try {
    return (await lockScheduledBackup(holder)) && (await isDue()) ? await addBackups(app, backup) : null
  } finally {
    await holder.end()
  }
}

/** Those of further servers are in a folder of the server's name, each with its own number of them. */
const addBackups = async (app: App, { now, signal }: Omit<ScheduledBackup, 'isDue'>): Promise<BackupFile | null> => {
  const { settings, shards, database } = app
  if (!shards) return addScheduledBackup({ settings, connection: database.pool, now, signal })
  const written = await eachServer(app, (shard) => {
    const { backup } = settings
    if (shard === shards.all[0] || !backup)
      return addScheduledBackup({ settings, connection: shard.connection, now, signal })
    const folder = backup.store ? `${backup.folder}/${shard.name}` : path.join(backup.folder, shard.name)
    return addScheduledBackup({
      settings: { ...settings, backup: { ...backup, folder } },
      connection: shard.connection,
      now,
      signal,
    })
  })
  return written.at(-1) ?? null
}
