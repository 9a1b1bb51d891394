import { batchTransactions } from '../access/batches.ts'
import type { AccountScope, EventScope, Tx } from '../access/scopes.ts'

/*
 * Everybody who decides about a guest list locks its event. Within one process they line up here instead, where waiting
 * costs no connection and nobody is woken only to find the row taken again. Between processes the locks decide.
 */

const nameOf = ({ account }: AccountScope, eventId: number) => `${account.id}/${eventId}`

const turns = new WeakMap<object, Map<string, Promise<unknown>>>()

/** One after the other. */
export const serializePerEvent = async <T>(
  scope: AccountScope,
  eventId: number,
  work: () => Promise<T>,
): Promise<T> => {
  const lines = turns.get(scope.app) ?? new Map<string, Promise<unknown>>()
  turns.set(scope.app, lines)
  const name = nameOf(scope, eventId)

  const mine = (lines.get(name) ?? Promise.resolve()).then(work, work)
  lines.set(name, mine)
  try {
    return await mine
  } finally {
    if (lines.get(name) === mine) lines.delete(name)
  }
}

/**
 * Those who wait for the same event are served together, in one transaction, in which each leaves the note of its own
 * request.
 */
export const batchPerEvent = <Asked extends { event: EventScope }, Answer>(
  work: (tx: Tx, asked: readonly Asked[]) => Promise<Answer[]>,
) => batchPerEventOf<Asked, Answer>(({ event }) => ({ scope: event, eventId: event.event.id }), work)

/** The same for those who have no event in their path, such as visitors of a shop. */
export const batchPerEventOf = <Asked extends object, Answer>(
  eventOf: (asked: Asked) => { scope: AccountScope; eventId: number },
  work: (tx: Tx, asked: readonly Asked[]) => Promise<Answer[]>,
) =>
  batchTransactions<Asked, Answer>((asked) => {
    const { scope, eventId } = eventOf(asked)
    return { scope, line: { event: eventId } }
  }, work)
