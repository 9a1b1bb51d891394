import type { AttemptResult } from '../../../src/door/rules.ts'
import { type ServerAnswer, NoServerAnswer, requestAsDevice } from '../base/ask.ts'
import { serverNow } from '../base/clock.ts'
import { type ServerRejectedScan, withDatabase } from '../base/database.ts'
import { type Scan, isAdmitting } from '../base/scan-record.ts'
import { serverRejectedScans, pairedDevice, isRevoked, scans } from '../base/state.ts'
import { ticketOfAnswer } from '../base/ticket.ts'
import { findTicketInMemory, readTickets } from '../base/tickets.ts'
import { storeChangedTickets } from '../base/kept-tickets.ts'
import { writeScan, updateScans } from './scan-log.ts'

const BATCH = 400
/** So long somebody may still scan again what was under way when the phone was switched off. */
const UNDECIDED_MS = 120_000
/** A beacon that outlives its page may carry 64 KiB. */
const KEEPALIVE_BATCH = 100

interface GivenResult {
  client_id: string
  result: AttemptResult
  message: string
  accepted_at: string | null
  ticket: Parameters<typeof ticketOfAnswer>[0] | null
}

/** One at a time over all tabs: whoever comes while it is under way has nothing to add. */
export const syncScans = async ({ isLeaving = false } = {}): Promise<void> => {
  if (!pairedDevice.value || isRevoked.value) return
  if (isLeaving) {
    // What is decided here is sent along; the answer is read at the next opening, by asking again.
    const leaving = sendable().slice(0, KEEPALIVE_BATCH)
    if (leaving.length > 0) await send(leaving, true).catch(() => undefined)
    return
  }
  await navigator.locks.request('foyer-door-sync', { ifAvailable: true }, async (lock) => {
    if (lock) await syncAll()
  })
}

const syncAll = async () => {
  for (;;) {
    const batch = sendable().slice(0, BATCH)
    if (batch.length === 0 || isRevoked.value) return
    try {
      if (!(await syncBatch(batch))) return
    } catch (error) {
      if (error instanceof NoServerAnswer) return
      throw error
    }
  }
}

const sendable = (): Scan[] =>
  scans.value.filter(
    ({ state, scannedAt }) =>
      state === 'unsent' || (state === 'asking' && serverNow().getTime() - Date.parse(scannedAt) > UNDECIDED_MS),
  )

const send = (batch: readonly Scan[], keepalive = false): Promise<ServerAnswer> =>
  requestAsDevice('/scanner/redemption_attempts', {
    method: 'POST',
    keepalive,
    body: { attempts: batch.map(attemptOfScan) },
  })

/** In the words of the sync. A refusal goes along as one, and never lets anybody in. */
export const attemptOfScan = (scan: Scan) => ({
  client_id: scan.clientId,
  event_slug: scan.eventSlug,
  public_id: scan.publicId,
  scanned_at: scan.scannedAt,
  ...(scan.kind !== 'entry' && { kind: scan.kind }),
  ...(scan.reason !== null && { reason: scan.reason }),
  ...(!isAdmitting(scan.verdict) && { refused: scan.refusal ?? 'No verdict was shown' }),
})

/** False where the server will have none of it now. */
const syncBatch = async (batch: readonly Scan[]): Promise<boolean> => {
  const { status, body } = await send(batch)
  const results: GivenResult[] | undefined = body?.redemption_attempts
  if (status === 200 && Array.isArray(results)) {
    await takeResults(batch, results)
    return true
  }
  if (status !== 422 && status !== 400 && status !== 413) return false
  // Something in it cannot be taken at all: by halves, until it is found; the rest must not wait for it.
  if (batch.length === 1) {
    await updateScans([{ ...batch[0]!, state: 'stuck', message: String(body?.error ?? status) }])
    return true
  }
  const half = Math.ceil(batch.length / 2)
  return (await syncBatch(batch.slice(0, half))) && syncBatch(batch.slice(half))
}

/** The event may have got another slug since it was scanned. */
const slugOf = (scan: Scan, { ticket }: GivenResult) => ticket?.event_slug ?? scan.eventSlug

const takeResults = async (batch: readonly Scan[], results: readonly GivenResult[]) => {
  const byId = new Map(results.map((result) => [result.client_id, result]))
  const known = batch.flatMap((scan) => {
    const result = byId.get(scan.clientId)
    return result ? [{ scan, result }] : []
  })
  if (known.length === 0) throw new NoServerAnswer('Another answer')
  for (const { scan, result } of known) await readTickets(slugOf(scan, result), [scan.publicId])
  await storeChangedTickets(
    known.flatMap(({ scan, result: { ticket } }) =>
      ticket ? ticketOfAnswer(ticket, findTicketInMemory(scan.publicId, null)) : [],
    ),
  )
  await keepDeviations(known)
  await updateScans(
    known.map(({ scan, result }) => ({
      ...scan,
      eventSlug: slugOf(scan, result),
      state: 'sent',
      result: result.result,
      message: result.message,
      acceptedAt: result.accepted_at,
    })),
  )
  for (const { scan, result } of known) if (isAcceptedAgainstUs(scan, result)) await takeBack(scan)
}

/** The server had accepted what was refused here after it had not answered in time. */
const isAcceptedAgainstUs = (scan: Scan, { result }: GivenResult) =>
  result === 'accepted' && scan.kind === 'entry' && scan.verdict !== null && !isAdmitting(scan.verdict)

const takeBack = (scan: Scan) =>
  writeScan({
    clientId: crypto.randomUUID(),
    eventSlug: scan.eventSlug,
    publicId: scan.publicId,
    kind: 'annulment',
    reason: 'Refused at the door, no answer in time',
    scannedAt: serverNow().toISOString(),
    verdict: 'in',
    refusal: null,
    isOverride: false,
    state: 'unsent',
    result: null,
    message: null,
    acceptedAt: null,
  })

/** What happened at this door and not by the server's rules. None of them vanish. */
const keepDeviations = async (known: readonly { scan: Scan; result: GivenResult }[]) => {
  const fresh = known.flatMap(({ scan, result }): ServerRejectedScan[] => {
    if (!isAdmitting(scan.verdict) || result.result === 'accepted') return []
    const ticket = findTicketInMemory(scan.publicId, null)
    return [
      {
        clientId: scan.clientId,
        publicId: scan.publicId,
        eventSlug: slugOf(scan, result),
        kind: scan.kind,
        name: ticket?.attendeeName ?? '',
        ticketTitle: ticket?.ticketTitle ?? '',
        scannedAt: scan.scannedAt,
        message: result.message,
        redeemedAt: result.ticket?.redeemed_at ?? null,
        acknowledgedAt: null,
      },
    ]
  })
  if (fresh.length === 0) return
  await withDatabase(async (db) => {
    const transaction = db.transaction('deviations', 'readwrite')
    for (const deviation of fresh) void transaction.store.put(deviation)
    await transaction.done
  })
  const added = new Set(fresh.map(({ clientId }) => clientId))
  serverRejectedScans.value = [...serverRejectedScans.value.filter(({ clientId }) => !added.has(clientId)), ...fresh]
}
