import type { AccountScope, EventScope, Tx } from '../access/scopes.ts'
import { isFaultOfStatement } from '../database/database.ts'
import { coalesce } from '../database/coalesce.ts'

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
) => {
  const serveAll = async (asked: readonly Asked[]): Promise<Answer[]> => {
    try {
      return await asked[0]!.event.unnoted().transaction((tx) => work(tx, asked))
    } catch (error) {
      for (const { event } of asked) event.note?.forget()
      throw error
    }
  }

  const serve = async (asked: Asked[]): Promise<(() => Answer)[]> => {
    const answers = await settle(() => serveAll(asked))
    if (answers.kind === 'done') return answers.value.map((answer) => () => answer)
    if (asked.length === 1 || !isFaultOfStatement(answers.error)) throw answers.error

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
    const { event } = asked
    const lines = apps.get(event.app) ?? new Map<string, (asked: Asked) => Promise<() => Answer>>()
    apps.set(event.app, lines)
    if (lines.size > LINES_MAX) lines.clear()

    const name = nameOf(event, event.event.id)
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
