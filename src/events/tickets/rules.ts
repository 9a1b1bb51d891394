import { atLeastMessage } from '../../kernel/messages.ts'
import type { ErrorMap } from '../../kernel/refusals.ts'

interface Uses {
  isIssued: boolean
  isHeld: boolean
  placeCount: number
  areas: readonly string[]
  hasLinks: boolean
}

/** Why a ticket cannot be deleted; null: it can. */
export const reasonNotToDelete = (uses: Uses): string | null => {
  if (uses.isIssued) return 'This ticket was issued'
  if (uses.isHeld) return 'Checkouts under way hold this ticket'
  if (uses.placeCount > 0) return `This ticket has ${uses.placeCount} ${uses.placeCount === 1 ? 'place' : 'places'}`
  if (uses.areas.length > 0) return `This ticket opens standing areas: ${uses.areas.join(', ')}`
  if (uses.hasLinks) return 'Signup links issue this ticket'
  return null
}

/** What is claimed, places, areas and links go with the way a ticket is counted by. */
const reasonToKeepKind = (claimedCount: number, uses: Uses): string | null => {
  if (claimedCount > 0) return `can't be changed: ${claimedCount} are claimed`
  if (uses.placeCount > 0) return "can't be changed: the ticket has places"
  if (uses.areas.length > 0) return `can't be changed: the ticket opens ${uses.areas.join(', ')}`
  return uses.hasLinks ? "can't be changed: signup links issue the ticket" : null
}

export const ticketChangeFaults = (
  ticket: { claimedCount: number; uses: Uses },
  keys: readonly string[],
  sent: { stock?: number | null },
): ErrorMap => {
  const { claimedCount, uses } = ticket
  const kind = keys.includes('inventory_kind') ? reasonToKeepKind(claimedCount, uses) : null
  const isShort = keys.includes('stock') && typeof sent.stock === 'number' && sent.stock < claimedCount
  return { ...(kind && { inventory_kind: [kind] }), ...(isShort && { stock: [atLeastMessage(claimedCount)] }) }
}
