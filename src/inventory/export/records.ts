import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { BatchAfterId } from '../../loading/batches.ts'

export interface ExportedHold {
  id: number
  ticketId: number
  standingAreaId: number | null
  quantity: number
  stockQuantity: number
  placeIds: number[]
  expiresAt: Date
}

/** Those whose time is not over. */
export const findHoldsToExport = async (
  { accountId, db }: Rows,
  eventId: number,
  { afterId, limit }: BatchAfterId,
): Promise<ExportedHold[]> => {
  const { rows } = await sql<ExportedHold>`
    select h.id, h.ticket_id as "ticketId", h.standing_area_id as "standingAreaId", h.quantity,
      h.stock_quantity as "stockQuantity",
      array(
        select p.place_id from held_places p
        where p.account_id = h.account_id and p.event_id = h.event_id and p.hold_id = h.id order by p.place_id
      ) as "placeIds",
      h.expires_at as "expiresAt"
    from holds h
    where h.account_id = ${accountId} and h.event_id = ${eventId} and h.expires_at > foyer_now() and h.id > ${afterId}
    order by h.id limit ${limit}`.execute(db)
  return rows
}
