import { type Selectable, sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { Venues } from '../../database/table-types.ts'
import { type StoredValues, fromRow } from '../../definitions/define.ts'
import { venueDefinition } from '../definitions.ts'

export interface Venue {
  id: number
  lockVersion: number
  createdAt: Date
  updatedAt: Date
  thing: StoredValues<typeof venueDefinition>
  row: Selectable<Venues>
}

const venueOf = (row: Selectable<Venues>): Venue => ({
  id: row.id,
  lockVersion: row.lock_version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  thing: fromRow(venueDefinition, { ...row }),
  row,
})

const venues = ({ db, accountId }: Rows) => db.selectFrom('venues').selectAll().where('account_id', '=', accountId)

export const findVenues = async (rows: Rows): Promise<Venue[]> =>
  (await venues(rows).orderBy('name').orderBy('id').execute()).map(venueOf)

export const findVenue = async (rows: Rows, id: number): Promise<Venue | null> => {
  const row = await venues(rows).where('id', '=', id).executeTakeFirst()
  return row ? venueOf(row) : null
}

export const lockVenue = async (tx: Tx, id: number): Promise<Venue | null> => {
  const row = await venues(tx).where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? venueOf(row) : null
}

/** The keys of an account's venues. Whoever adds one waits until this transaction has ended. */
export const lockVenueKeys = async (tx: Tx): Promise<Set<string>> => {
  await sql`select from accounts where id = ${tx.accountId} for no key update`.execute(tx.db)
  const rows = await tx.db.selectFrom('venues').select('key').where('account_id', '=', tx.accountId).execute()
  return new Set(rows.map(({ key }) => key))
}

export const deleteVenue = async (tx: Tx, id: number): Promise<void> => {
  await tx.db.deleteFrom('venues').where('account_id', '=', tx.accountId).where('id', '=', id).execute()
}

/** Whether events take place there, archived ones too. */
export const isVenueInUse = async (tx: Tx, id: number): Promise<boolean> => {
  const event = await tx.db
    .selectFrom('events')
    .select('id')
    .where('account_id', '=', tx.accountId)
    .where('venue_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return event !== undefined
}
