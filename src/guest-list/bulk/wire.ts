import { z } from 'zod'
import { unwrappedBody } from '../../http/body.ts'
import {
  castRowIds,
  failCast,
  field,
  flagWithDefault,
  isEmpty,
  optionalRowId,
  requiredRowId,
} from '../../http/fields.ts'
import { named } from '../../http/wire.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE } from '../../kernel/messages.ts'
import type { Refusal } from '../../kernel/refusals.ts'
import { PARTY_SIZE_MAX } from '../rules.ts'

export const PARTIES_MAX = 500

/** Which parties, each once. */
const publicIds = () =>
  field(
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: PARTIES_MAX },
    (value): string[] => {
      if (!Array.isArray(value))
        return failCast(value === undefined || value === null ? BLANK_MESSAGE : INVALID_MESSAGE)
      if (value.length === 0) return failCast(BLANK_MESSAGE)
      if (value.length > PARTIES_MAX) return failCast(`is too long (maximum is ${PARTIES_MAX} parties)`)
      if (!value.every((each) => typeof each === 'string' && each.length <= 64 && !each.includes('\0')))
        return failCast(INVALID_MESSAGE)
      return [...new Set(value as string[])]
    },
    true,
  )

/** Numbered places for each party, in the order of its people. */
const placeIdsByParty = () =>
  field(
    {
      type: ['object', 'null'],
      additionalProperties: { type: 'array', items: { type: 'integer' }, maxItems: PARTY_SIZE_MAX },
      maxProperties: PARTIES_MAX,
    },
    (value): Map<string, number[]> | null => {
      if (isEmpty(value)) return null
      if (typeof value !== 'object' || Array.isArray(value)) return failCast(INVALID_MESSAGE)
      const entries = Object.entries(value as Record<string, unknown>)
      if (entries.length > PARTIES_MAX) return failCast(`is too long (maximum is ${PARTIES_MAX} parties)`)
      return new Map(entries.map(([id, places]) => [id, castRowIds(places, PARTY_SIZE_MAX)]))
    },
  )

export const PartiesBody = unwrappedBody(z.object({ public_ids: publicIds() }))

export const TicketChangeBody = unwrappedBody(
  z.object({
    public_ids: publicIds(),
    ticket_id: requiredRowId(),
    event_capacity_pool_id: optionalRowId(),
    event_place_ids_by_party: placeIdsByParty(),
    deliver: flagWithDefault(false),
  }),
)

const Result = z.object({
  public_id: z.string(),
  done: z.boolean(),
  errors: z.record(z.string(), z.array(z.string())),
})

export const PartyResults = named('GuestPartyResults', z.object({ done_count: z.int(), results: z.array(Result) }), {
  done_count: 1,
  results: [
    { public_id: 'Qm4Zr8uVtYp2LkNs6HdWcE', done: true, errors: {} },
    { public_id: '7sW2vqXz3nTdK9mPfBhRcG', done: false, errors: { base: ['This party can no longer be cancelled'] } },
  ],
})

/** What became of each party, in the order they were asked for. */
export const showResults = (
  publicIds: readonly string[],
  refused: ReadonlyMap<string, Refusal>,
): z.output<typeof PartyResults> => ({
  done_count: publicIds.length - refused.size,
  results: publicIds.map((id) => {
    const refusal = refused.get(id)
    return { public_id: id, done: refusal === undefined, errors: refusal?.errors ?? {} }
  }),
})
