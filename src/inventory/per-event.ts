import { type AccountScope, CallerScope, type EventScope, type Tx } from '../access/scopes.ts'
import { isStatementFault } from '../database/database.ts'
import { coalesce } from '../database/coalesce.ts'
import { describeError } from '../kernel/log.ts'

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

/** The most that are served at once: a handful that wait for one another, and not a night's work. */
const TOGETHER_MAX = 16
const LINES_MAX = 500

/**
 * Those who wait for the same event are served together, in one transaction, in which each leaves the note of its own
 * request. Where the database will not have one of them, each is served again by itself, so that nobody pays for
 * somebody else's fault.
 */
export const batchPerEvent = <Asked extends { event: EventScope }, Answer>(
  work: (tx: Tx, asked: readonly Asked[]) => Promise<Answer[]>,
) => batchPerEventOf<Asked, Answer>(({ event }) => ({ scope: event, eventId: event.event.id }), work)

/** The same for those who have no event in their path, such as visitors of a shop. */
export const batchPerEventOf = <Asked, Answer>(
  eventOf: (asked: Asked) => { scope: AccountScope; eventId: number },
  work: (tx: Tx, asked: readonly Asked[]) => Promise<Answer[]>,
) => {
  const serveAll = async (asked: readonly Asked[]): Promise<Answer[]> => {
    const scopes = asked.map((each) => eventOf(each).scope)
    const shared = scopes[0]!
    try {
      return await (shared instanceof CallerScope ? shared.unnoted() : shared).transaction((tx) => work(tx, asked))
    } catch (error) {
      for (const scope of scopes) if (scope instanceof CallerScope) scope.note?.forget()
      throw error
    }
  }

  const serve = async (asked: Asked[]): Promise<(() => Answer)[]> => {
    const answers = await settle(() => serveAll(asked))
    if (answers.kind === 'done') return answers.value.map((answer) => () => answer)
    if (asked.length === 1 || !isStatementFault(answers.error)) throw answers.error

    // One of them is at fault, or all of them are, and then serving each by itself hides a slowness without a reason.
    const { scope, eventId } = eventOf(asked[0]!)
    scope.app.log.warn(
      { ...describeError(answers.error), account: scope.account.id, event: eventId, together: asked.length },
      'those who came together are served one by one',
    )
    const alone: (() => Answer)[] = []
    for (const one of asked) {
      const answer = await settle(() => serveAll([one]))
      alone.push(() => {
        if (answer.kind === 'failed') throw answer.error
        return answer.value[0]!
      })
    }
    return alone
  }

  const apps = new WeakMap<object, Map<string, (asked: Asked) => Promise<() => Answer>>>()

  return async (asked: Asked): Promise<Answer> => {
    const { scope, eventId } = eventOf(asked)
    const lines = apps.get(scope.app) ?? new Map<string, (asked: Asked) => Promise<() => Answer>>()
    apps.set(scope.app, lines)
    if (lines.size > LINES_MAX) lines.clear()

    const name = nameOf(scope, eventId)
    const line = lines.get(name) ?? coalesce(serve, { maxBatch: TOGETHER_MAX, concurrency: 1 })
    lines.set(name, line)
    return (await line(asked))()
  }
}

type Settled<T> = { kind: 'done'; value: T } | { kind: 'failed'; error: unknown }

const settle = async <T>(work: () => Promise<T>): Promise<Settled<T>> => {
  try {
    return { kind: 'done', value: await work() }
  } catch (error) {
    return { kind: 'failed', error }
  }
}
