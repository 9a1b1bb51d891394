import { atLeastMessage, atMostMessage } from '../../kernel/messages.ts'
import type { ErrorMap } from '../../kernel/refusals.ts'

/** Why an area cannot be deleted; null: it can. */
export const reasonNotToDelete = (uses: {
  isIssued: boolean
  isHeld: boolean
  linkedTicketIds: readonly number[]
}): string | null => {
  if (uses.isIssued) return 'Tickets were issued for this standing area'
  if (uses.isHeld) return 'Checkouts under way hold room in this standing area'
  return uses.linkedTicketIds.length > 0 ? 'Signup links fill this standing area' : null
}

/** Who stands there, and what is blocked, fits into the area. */
export const areaCapacityFaults = (claimedCount: number, room: { capacity: number; blocked: number }): ErrorMap => {
  const { capacity, blocked } = room
  if (capacity < claimedCount) return { capacity: [atLeastMessage(claimedCount)] }
  if (capacity < claimedCount + blocked) return { blocked: [atMostMessage(capacity - claimedCount)] }
  return {}
}
