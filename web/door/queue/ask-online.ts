import { requestAsDevice } from '../base/ask.ts'
import type { Scan } from '../base/scan-record.ts'
import { type Ticket, ticketOfAnswer } from '../base/ticket.ts'

/** So long a guest may wait for the server; then the phone decides. */
const ONLINE_MS = 1_500

/** What the server said to one scan. */
export interface OnlineVerdict {
  /** Null: done. */
  error: string | null
  ticket: Ticket
}

/** The server's word on a scan, under the same ID that the queue would use; null where it has none now. */
export const submitScanOnline = async (scan: Scan, known: Ticket): Promise<OnlineVerdict | null> => {
  const id = encodeURIComponent(known.publicId)
  const { status, body } =
    scan.kind === 'entry'
      ? await requestAsDevice(`/scanner/events/${encodeURIComponent(scan.eventSlug)}/tickets/${id}/redemption`, {
          method: 'POST',
          timeoutMs: ONLINE_MS,
          headers: { 'idempotency-key': scan.clientId },
        })
      : await requestAsDevice(`/scanner/tickets/${id}/${scan.kind}`, {
          method: 'POST',
          timeoutMs: ONLINE_MS,
          body: { client_id: scan.clientId, ...(scan.reason !== null && { reason: scan.reason }) },
        })
  if (status === 200 && body?.public_id === known.publicId) return { error: null, ticket: ticketOfAnswer(body, known) }
  if (status === 422 && typeof body?.error === 'string' && body.ticket?.public_id === known.publicId)
    return { error: body.error, ticket: ticketOfAnswer(body.ticket, known) }
  return null
}

export interface TicketFoundOnline {
  ticket: Ticket
  eventTitle: string
}

/** A ticket that is not on this phone; undefined where the server does not know it either, null where it says nothing. */
export const findTicketOnline = async (identifier: string): Promise<TicketFoundOnline | undefined | null> => {
  const { status, body } = await requestAsDevice(`/scanner/tickets/${encodeURIComponent(identifier)}`, {
    timeoutMs: ONLINE_MS,
  })
  if (status === 404) return undefined
  if (status !== 200 || typeof body?.public_id !== 'string') return null
  return { ticket: ticketOfAnswer(body), eventTitle: String(body.event_title) }
}

/** Which door let them in. It is nice to know, so nobody waits for it. */
export const findAdmittingDevice = async (ticket: Ticket): Promise<string | null> => {
  const slug = encodeURIComponent(ticket.eventSlug)
  const answer = await requestAsDevice(
    `/scanner/events/${slug}/attempts?public_id=${encodeURIComponent(ticket.publicId)}`,
    {
      timeoutMs: 5_000,
    },
  ).catch(() => null)
  const name = answer?.status === 200 ? answer.body?.attempts?.[0]?.scanner?.name : null
  return typeof name === 'string' ? name : null
}
