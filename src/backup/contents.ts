import { z } from 'zod'

/** What stands first in an archive: how it is to be read. */
export const ManifestSchema = z.object({
  format: z.int(),
  foyer: z.string(),
  created_at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ number: z.int(), name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ table: z.string(), columns: z.array(z.string()) })),
})

export type Manifest = z.output<typeof ManifestSchema>

/** What is known only after everything else was written. */
export const SummarySchema = z.object({
  rows: z.record(z.string(), z.int()),
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
  jobs: z.array(
    z.object({
      identifier: z.string(),
      payload: z.unknown(),
      queue_name: z.string().nullable(),
      run_at: z.string(),
      max_attempts: z.int(),
      job_key: z.string().nullable(),
      priority: z.int(),
    }),
  ),
  /** Files that stay in the object store: only their names are here. */
  stored_elsewhere: z.object({ uploads: z.array(z.string()), images: z.array(z.string()) }),
})

export type Summary = z.output<typeof SummarySchema>

export const countRows = (rows: Summary['rows']): number => Object.values(rows).reduce((sum, count) => sum + count, 0)
