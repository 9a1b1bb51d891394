import { z } from 'zod'
import { exampleOf, named } from '../http/wire.ts'
import type { WebhookKind } from './rules.ts'

/** A kind of message, as the API description tells of it. */
export interface WebhookDescription {
  kind: WebhookKind
  says: string
  /** What `data` of the message holds. */
  data: z.ZodType<Record<string, unknown>>
  example: Record<string, unknown>
}

export const defineWebhook = (
  kind: WebhookKind,
  says: string,
  data: z.ZodType<Record<string, unknown>>,
): WebhookDescription => {
  const example = exampleOf(data)
  if (!example) throw new Error(`The data of ${kind} has no example.`)
  return { kind, says, data, example }
}

/** The event that a message is about. */
export const EventInWebhook = named('WebhookEvent', z.object({ id: z.int(), slug: z.string() }), {
  id: 12,
  slug: 'winter-gala',
})
