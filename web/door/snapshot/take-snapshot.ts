import type { Schemas } from '../../api/client.ts'
import { NoServerAnswer, requestAsDevice } from '../base/ask.ts'
import { serverNow } from '../base/clock.ts'
import type { EventOnDevice } from '../base/database.ts'
import { countUnmergedChanges, storeSnapshot, storeChangedTickets } from '../base/kept-tickets.ts'
import { chosenEvents, events } from '../base/state.ts'
import { packTicket, ticketOfAnswer } from '../base/ticket.ts'
import { isInMemory, cachedPackedTickets, readAllTickets } from '../base/tickets.ts'
import { addEvent, eventsToRefresh, replaceRenamedEvent, updateEvent } from './events.ts'

const TIMEOUT_MS = 120_000

/** What changed since the last snapshot of every chosen event, or all of it. */
export const refreshSnapshots = async (): Promise<void> => {
  for (const { slug } of eventsToRefresh()) {
    const event = events.value.find((each) => each.slug === slug)
    if (event) await refreshSnapshot(event)
  }
}

const refreshSnapshot = async (event: EventOnDevice): Promise<void> => {
  const since = event.generatedAt === null ? '' : `&since=${encodeURIComponent(event.generatedAt)}`
  const { status, body, headers } = await requestAsDevice(
    `/scanner/events/${encodeURIComponent(event.slug)}/snapshot?with=parties${since}`,
    { timeoutMs: TIMEOUT_MS, headers: event.etag === null ? {} : { 'if-none-match': event.etag } },
  )
  const refreshedAt = serverNow().toISOString()
  if (status === 304) return updateEvent(event.slug, { refreshedAt })
  if (status === 404) return
  if (status !== 200 || !Array.isArray(body?.tickets)) throw new NoServerAnswer('No snapshot')
  const snapshot = body as Schemas['ScannerSnapshotWithParties']
  if (snapshot.event.slug !== event.slug) return moveToSlug(event, snapshot.event.slug)
  const tickets = snapshot.tickets.map((ticket) => ticketOfAnswer(ticket))
  const isWhole = snapshot.since === undefined
  if (isWhole) await storeSnapshot(event.slug, tickets.map(packTicket))
  else await storeChangedTickets(tickets)
  // Last: a snapshot that was not written whole is asked for again.
  await updateEvent(event.slug, {
    title: snapshot.event.title,
    startsAt: snapshot.event.starts_at,
    endsAt: snapshot.event.ends_at,
    reentry: snapshot.event.reentry,
    generatedAt: snapshot.generated_at,
    etag: headers.get('etag'),
    refreshedAt,
  })
}

/** Tickets name their event, so all of them are taken by the new slug; until they are here those of the old one count. */
const moveToSlug = async (event: EventOnDevice, slug: string): Promise<void> => {
  const known = () => events.value.find((each) => each.slug === slug)
  if ((event.isChosen || known()?.isChosen) && !known()?.generatedAt) {
    await addEvent({ ...event, slug })
    await refreshSnapshot(known()!)
    if (!known()?.generatedAt) return
  }
  await replaceRenamedEvent(event.slug, slug)
}

const CHANGES_MAX = 3_000

/** What lies beside the pieces is put into them when there is time. */
export const mergeSnapshotChanges = async (): Promise<void> => {
  for (const { slug } of chosenEvents.value) {
    if ((await countUnmergedChanges(slug)) <= CHANGES_MAX) continue
    await readAllTickets(slug)
    if (isInMemory(slug)) await storeSnapshot(slug, Array.from(cachedPackedTickets(slug)))
  }
}
