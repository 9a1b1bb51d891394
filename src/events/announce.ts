import { z } from 'zod'
import type { CallerScope, Tx } from '../access/scopes.ts'
import { Timestamp, named } from '../http/wire.ts'
import { type WebhookKindOf, publishWebhooks } from '../webhooks/publish.ts'
import { defineWebhook } from '../webhooks/webhook.ts'
import { findEvent } from './records.ts'
import { type EventDetails, showEvent } from './wire.ts'

export type EventWebhookKind = WebhookKindOf<'event'>

const EventMessage = named(
  'EventMessage',
  z.object({
    event: z.object({
      id: z.int(),
      slug: z.string(),
      title: z.string(),
      starts_at: Timestamp,
      doors_open_at: Timestamp.nullable(),
      ends_at: Timestamp,
      time_zone: z.string(),
      published: z.boolean(),
      listed: z.boolean(),
      cancelled_at: Timestamp.nullable(),
      archived_at: Timestamp.nullable(),
      capacity: z.int().nullable(),
      venue: z.object({ name: z.string(), city: z.string() }).nullable(),
    }),
    changed: z.array(z.string()),
  }),
  {
    event: {
      id: 12,
      slug: 'winter-gala',
      title: 'Winter Gala of the Kaispeicher',
      starts_at: '2026-12-15T19:00:00.000Z',
      doors_open_at: '2026-12-15T18:00:00.000Z',
      ends_at: '2026-12-16T00:00:00.000Z',
      time_zone: 'Europe/Berlin',
      published: true,
      listed: true,
      cancelled_at: null,
      archived_at: null,
      capacity: 500,
      venue: { name: 'Kaispeicher, Great Hall', city: 'Hamburg' },
    },
    changed: ['title', 'tickets'],
  },
)

export const eventWebhookKinds = [
  defineWebhook('event.created', 'An event was created, by itself or as a copy of another one.', EventMessage),
  defineWebhook(
    'event.updated',
    'An event was changed, or its tickets, areas, places or questions; or it was withdrawn from the shop, reinstated, archived or restored. `changed` names what.',
    EventMessage,
  ),
  defineWebhook('event.published', 'An event was published at the shop.', EventMessage),
  defineWebhook('event.cancelled', 'An event was cancelled.', EventMessage),
]

interface Told {
  kinds: Set<EventWebhookKind>
  keys: Set<string>
}

const toldIn = new WeakMap<Tx, Map<number, Told>>()

/**
 * Tells the account's webhooks what became of an event, once at the end of the transaction, however much of the event
 * is changed in it, and as the event is then.
 */
export const publishEventWebhook = (
  { caller }: CallerScope,
  tx: Tx,
  kind: EventWebhookKind,
  { id, keys }: { id: number; keys: readonly string[] },
): void => {
  if (!caller.hasWebhooks) return
  const told = toldIn.get(tx) ?? new Map<number, Told>()
  toldIn.set(tx, told)
  if (!told.has(id)) tx.beforeCommit(() => publishTold(tx, id, told.get(id)!))
  const { kinds, keys: known } = told.get(id) ?? { kinds: new Set(), keys: new Set() }
  told.set(id, { kinds: kinds.add(kind), keys: new Set([...known, ...keys]) })
}

const publishTold = async (tx: Tx, id: number, { kinds, keys }: Told): Promise<void> => {
  const event = await findEvent(tx, id)
  if (!event) return
  const payload = tellEvent(event, [...keys])
  const told = [...kinds].filter((kind) => kind !== 'event.updated' || kinds.size === 1)
  await publishWebhooks(
    tx,
    told.map((kind) => ({ kind, eventId: id, payload, personalPayload: payload })),
  )
}

/** Of what whoever may work on the event sees, the keys of the schema and no others. */
const tellEvent = (details: EventDetails, changed: string[]): z.output<typeof EventMessage> =>
  EventMessage.parse({ event: showEvent(details), changed })
