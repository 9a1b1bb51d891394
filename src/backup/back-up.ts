import { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import packageFile from '../../package.json' with { type: 'json' }
import { openLongClient } from '../database/long-connection.ts'
import { storageOf } from '../files/open-storage.ts'
import { readSecret } from '../kernel/secrets.ts'
import type { Settings } from '../kernel/settings.ts'
import type { ArchiveWriter } from './archive.ts'
import { type Manifest, type Summary, countRows } from './contents.ts'
import { type Pace, keepPace } from './pace.ts'
import {
  BACKUP_CONNECTION,
  type TableColumns,
  beginSnapshot,
  copyOut,
  findAppliedMigrations,
  findSequences,
  findServerVersion,
  findTables,
  findUploads,
  findWaitingJobs,
  lockFiles,
} from './records.ts'
import {
  FORMAT,
  MANIFEST,
  PIECE_BYTES,
  SECRET,
  SUMMARY,
  endOfRows,
  imageEntry,
  tablePiece,
  uploadEntry,
} from './rules.ts'

export interface BackupReport {
  rows: number
  files: number
}

interface BackupSource {
  settings: Settings
  connection: pg.ClientConfig | pg.Pool
  now: Date
}

/** Writes the whole installation as it is at one moment, while everybody goes on working. */
export const backUp = async (archive: ArchiveWriter, source: BackupSource): Promise<BackupReport> => {
  const client = await openLongClient(source.connection, BACKUP_CONNECTION)
  const looking = await openLongClient(source.connection, BACKUP_CONNECTION).catch(async (error: unknown) => {
    await client.end()
    throw error
  })
  try {
    // Before the snapshot: a file that a row of it names must still be there when its turn comes.
    await lockFiles(client)
    await beginSnapshot(client)
    return await writeAll({ archive, client, pace: keepPace(looking) }, source)
  } finally {
    await looking.end()
    await client.end()
  }
}

interface Writing {
  archive: ArchiveWriter
  client: pg.Client
  pace: Pace
}

const writeAll = async (writing: Writing, { settings, now }: BackupSource): Promise<BackupReport> => {
  const { archive, client } = writing
  const tables = await findTables(client)
  const manifest: Manifest = {
    format: FORMAT,
    foyer: packageFile.version,
    created_at: now.toISOString(),
    postgres: await findServerVersion(client),
    migrations: await findAppliedMigrations(client),
    tables,
  }
  await archive.add(MANIFEST, JSON.stringify(manifest, null, 2))
  await archive.add(SECRET, `${readSecret(settings)}\n`)

  const rows: Record<string, number> = {}
  for (const table of tables) rows[table.table] = await writeTable(writing, table)
  const files = await writeFiles(writing, settings)
  const summary: Summary = {
    rows,
    sequences: await findSequences(client),
    jobs: await findWaitingJobs(client),
    stored_elsewhere: files.elsewhere,
  }
  await archive.add(SUMMARY, JSON.stringify(summary, null, 2))
  return { rows: countRows(rows), files: files.count }
}

const writeTable = async ({ archive, client, pace }: Writing, table: TableColumns): Promise<number> => {
  const copy = client.query(copyTo(copyOut(table)))
  let waiting: Buffer[] = []
  let size = 0
  let piece = 0
  // Chunks go on as they came: putting them together first would double what is thrown away, and so the memory.
  const write = async () => {
    piece += 1
    await archive.addStream(tablePiece(table.table, piece), size, Readable.from(waiting, { objectMode: false }))
  }
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    await pace.giveWay()
    const end = size + chunk.length < PIECE_BYTES ? 0 : endOfRows(chunk)
    if (end === 0) {
      waiting.push(chunk)
      size += chunk.length
      continue
    }
    waiting.push(chunk.subarray(0, end))
    size += end
    await write()
    waiting = end < chunk.length ? [chunk.subarray(end)] : []
    size = chunk.length - end
  }
  if (size > 0) await write()
  return copy.rowCount
}

const writeFiles = async ({ archive, client, pace }: Writing, settings: Settings) => {
  const storage = storageOf({ settings })
  const uploads = await findUploads(client)
  const elsewhere: Summary['stored_elsewhere'] = { uploads: [], images: [] }
  let count = 0

  const write = async (name: string, size: number, bytes: Readable) => {
    await archive.addStream(name, size, bytes)
    await pace.giveWay()
    count += 1
  }
  for (const { key, byteSize } of uploads) {
    const bytes = settings.objectStore ? null : await storage.read(key, null)
    if (bytes) await write(uploadEntry(key), byteSize, bytes)
    else elsewhere.uploads.push(key)
  }
  for (let names = await storage.images.list(''); names.length > 0; names = await storage.images.list(names.at(-1)!)) {
    for (const name of names) {
      const file = settings.objectStore ? null : await storage.images.read(name)
      if (file) await write(imageEntry(name), file.size, file.bytes)
      else elsewhere.images.push(name)
    }
  }
  return { count, elsewhere }
}
