import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../access/scopes.ts'
import type { Tables } from '../../database/table-types.ts'

export const IMAGES_LOCK = 5_910_442_736

/** From before a picture is stored until the row that shows it has committed, the sweep removes none. */
export const lockImagesForUse = async ({ db }: Pick<Tx, 'db'>): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${IMAGES_LOCK})`.execute(db)
}

/** False while somebody stores pictures. */
export const tryLockImagesForSweep = async (db: Kysely<Tables>): Promise<boolean> => {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${IMAGES_LOCK}) as "isLocked"`.execute(db)
  return rows[0]!.isLocked
}

/** Those of the digests that no event and no performer shows, in whichever account: equal pictures are stored once. */
export const findUnusedImages = async (db: Kysely<Tables>, digests: string[]): Promise<string[]> => {
  const { rows } = await sql<{ digest: string }>`
    with shown as (
      select image from events
      union all select background_image from events
      union all select unnest(gallery_images) from events
      union all select image from performers
    )
    select given.digest from unnest(${digests}::text[]) as given (digest)
    where not exists (
      select from shown where shown.image like 'file:%' and substr(shown.image, 6, 64) = given.digest)`.execute(db)
  return rows.map(({ digest }) => digest)
}
