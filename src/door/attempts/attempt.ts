import type { TicketIdentifier } from '../records.ts'
import type { AttemptKind } from '../rules.ts'

/** One try to redeem a ticket, or to end an entry, by whom and where. */
export interface Attempt {
  accountId: number
  credentialId: number
  /** Null for any event of the account. */
  eventId: number | null
  /** A member who must be assigned to the ticket's event; null where the whole account is open. */
  membershipId: number | null
  eventSlug: string
  identifier: TicketIdentifier
  clientId: string | null
  scannedAt: Date | null
  kind: AttemptKind
  /** Why an entry is annulled. */
  reason: string | null
  /** Why the device let nobody in by it: it is written down, and never more than that. */
  refused: string | null
}
