import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { z } from 'zod'
import { openLongClient } from '../database/long-connection.ts'
import { migrate } from '../database/migrate.ts'
import { storageOf } from '../files/open-storage.ts'
import { writeSecret } from '../kernel/secrets.ts'
import { Misconfigured, type Settings } from '../kernel/settings.ts'
import { FileFault } from '../loading/fault.ts'
import { type ArchiveEntry, readArchive } from './archive.ts'
import { type Manifest, ManifestSchema, type Summary, SummarySchema, countRows } from './contents.ts'
import {
  type TableColumns,
  copyIn,
  dropSchemas,
  findAppliedMigrations,
  findTables,
  findUpload,
  hasAccounts,
  isServed,
  resumeChecks,
  restoreJobs,
  restoreSequences,
  clearTablesAndSuspendChecks,
} from './records.ts'
import { CHECKSUMS, FORMAT, MANIFEST, SECRET, SUMMARY, findDamagedEntry, readEntryName } from './rules.ts'

export interface RestoreReport {
  createdAt: string
  rows: number
  files: number
  /** Files that only the object store has. */
  filesElsewhere: number
}

export interface RestoreTarget {
  settings: Settings
  connection: pg.ClientConfig | pg.Pool
}

/** In a transaction that whoever asked for it commits, or ends with its connection. */
export interface LoadedArchive {
  client: pg.Client
  report: RestoreReport
}

/**
 * Brings an archive into an installation that holds nothing yet, whole or not at all: rows, secret and files are in
 * place before its transaction commits. Until then the installation is as empty as before.
 */
export const loadArchive = async (
  file: string,
  passphrase: string | null,
  { settings, connection }: RestoreTarget,
): Promise<LoadedArchive> => {
  const client = await openLongClient(connection, 'foyer restore')
  const entries = readArchive(file, passphrase)
  try {
    await refuseWhenInUse(client)
    const reader = openReader(file, entries)
    const manifest = await reader.readManifest()
    await makeSchema(client, connection, manifest.migrations)
    await client.query('set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; begin')
    return { client, report: await load(client, reader, manifest, settings) }
  } catch (error) {
    await client.end()
    throw error
  } finally {
    await entries.return(undefined)
  }
}

const refuseWhenInUse = async (client: pg.Client) => {
  if (await isServed(client)) {
    throw new Misconfigured('Foyer is running on this database. Stop it before a backup is restored into it.')
  }
  if (await hasAccounts(client)) {
    throw new Misconfigured(
      'This installation is in use: it has accounts. A backup is restored into an empty one; set FOYER_DATA to a new folder, or DATABASE_URL to an empty database.',
    )
  }
}

/** The schema as it was when the archive was written; the newer migrations come after its rows. */
const makeSchema = async (
  client: pg.Client,
  connection: pg.ClientConfig | pg.Pool,
  migrations: Manifest['migrations'],
) => {
  const applied = await findAppliedMigrations(client)
  if (applied.length > migrations.length) await dropSchemas(client)
  await migrate(connection, { upTo: migrations })
}

/** The entries in their order, with the sums of those that were read. */
const openReader = (file: string, entries: AsyncGenerator<ArchiveEntry>) => {
  const sums = new Map<string, string>()
  const next = async (): Promise<ArchiveEntry> => {
    const { value, done } = await entries.next()
    if (done) throw new FileFault(`The archive ${file} ends before its checksums: it was cut off.`)
    return value
  }
  const readText = async (entry: ArchiveEntry) => {
    const content = await text(entry.bytes)
    sums.set(entry.name, entry.digest())
    return content
  }
  const readJson = async <T>(entry: ArchiveEntry, schema: z.ZodType<T>): Promise<T> => {
    try {
      return schema.parse(JSON.parse(await readText(entry)))
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) {
        throw new FileFault(`The archive ${file} is damaged: ${entry.name} cannot be understood.`)
      }
      throw error
    }
  }
  return {
    file,
    next,
    readText,
    readJson,
    note: (entry: ArchiveEntry) => sums.set(entry.name, entry.digest()),
    readManifest: async (): Promise<Manifest> => {
      const entry = await next()
      if (entry.name !== MANIFEST) throw new FileFault(`The file ${file} is no backup of Foyer.`)
      const manifest = await readJson(entry, ManifestSchema)
      if (manifest.format > FORMAT) {
        throw new FileFault(
          `The archive ${file} was written by Foyer ${manifest.foyer}; restore it with that version or a newer one.`,
        )
      }
      return manifest
    },
    refuseDamage: async (checksums: ArchiveEntry) => {
      const damaged = findDamagedEntry(await text(checksums.bytes), sums)
      if (damaged !== null) throw new FileFault(`The archive ${file} is damaged: ${damaged} is not as it was written.`)
    },
  }
}

type Reader = ReturnType<typeof openReader>

const load = async (
  client: pg.Client,
  reader: Reader,
  manifest: Manifest,
  settings: Settings,
): Promise<RestoreReport> => {
  const tables = await findTables(client)
  await clearTablesAndSuspendChecks(client)
  const columns = columnsByTable(reader.file, manifest, tables)
  const rows: Record<string, number> = Object.fromEntries(manifest.tables.map(({ table }) => [table, 0]))
  let files = 0
  let summary: Summary | null = null

  const take = async (entry: ArchiveEntry) => {
    if (entry.name === SECRET) return restoreSecret(await reader.readText(entry), settings)
    if (entry.name === SUMMARY) {
      summary = await reader.readJson(entry, SummarySchema)
      return undefined
    }
    const named = readEntryName(entry.name)
    const table = named?.kind === 'table' ? columns.get(named.of) : undefined
    if (table) rows[table.table]! += await copyPiece(client, table, entry)
    else if (named && named.kind !== 'table') {
      await restoreFile(client, settings, { kind: named.kind, name: named.of }, entry)
      files += 1
    } else throw new FileFault(`The archive ${reader.file} has an entry that is not of Foyer: ${entry.name}.`)
    return reader.note(entry)
  }

  let entry = await reader.next()
  for (; entry.name !== CHECKSUMS; entry = await reader.next()) await take(entry)
  await reader.refuseDamage(entry)
  const { sequences, jobs, stored_elsewhere: elsewhere } = requireSummary(reader.file, summary, rows)
  await restoreSequences(client, sequences)
  await restoreJobs(client, jobs)
  await resumeChecks(client)
  return {
    createdAt: manifest.created_at,
    rows: countRows(rows),
    files,
    filesElsewhere: elsewhere.uploads.length + elsewhere.images.length,
  }
}

const requireSummary = (file: string, summary: Summary | null, rows: Record<string, number>): Summary => {
  const isComplete = summary !== null && Object.entries(rows).every(([table, count]) => summary.rows[table] === count)
  if (!isComplete) throw new FileFault(`The archive ${file} is damaged: rows are missing.`)
  return summary
}

const columnsByTable = (file: string, manifest: Manifest, tables: readonly TableColumns[]) => {
  const known = new Map(tables.map(({ table, columns }) => [table, new Set(columns)]))
  for (const { table, columns } of manifest.tables) {
    if (!columns.every((column) => known.get(table)?.has(column))) {
      throw new FileFault(`The archive ${file} has a table ${table} that is not as its own migrations make it.`)
    }
  }
  return new Map(manifest.tables.map((table) => [table.table, table]))
}

const copyPiece = async (client: pg.Client, table: TableColumns, entry: ArchiveEntry): Promise<number> => {
  const copy = client.query(copyFrom(copyIn(table)))
  try {
    await pipeline(entry.bytes, copy)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error
    // A changed byte is met here before the sums can tell of it.
    throw new FileFault(`The archive is damaged: ${entry.name} cannot be loaded (${error.message}).`)
  }
  return copy.rowCount
}

const restoreSecret = (content: string, settings: Settings) => {
  const secret = content.trim()
  if (settings.secret !== null && settings.secret !== secret) {
    throw new Misconfigured(
      'FOYER_SECRET is another than that of the backup, and nothing that was sealed would open again. Leave it unset, or set it to the one of the backup.',
    )
  }
  if (settings.secret === null) writeSecret(settings.dataFolder, secret)
}

const restoreFile = async (
  client: pg.Client,
  settings: Settings,
  { kind, name }: { kind: 'upload' | 'image'; name: string },
  entry: ArchiveEntry,
) => {
  const storage = storageOf({ settings })
  if (kind === 'image') return storage.images.write(name, await buffer(entry.bytes))
  const upload = await findUpload(client, name)
  if (!upload) throw new FileFault(`The archive has an upload ${name} that no row names.`)
  const received = await storage.take(upload, entry.bytes)
  try {
    await received.keep()
  } finally {
    await received.forget()
  }
  return undefined
}
