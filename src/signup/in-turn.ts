import type { AccountScope } from '../access/scopes.ts'
import { gather } from '../database/gather.ts'

/*
 * Everybody who decides about a guest list locks its event. Within one process they line up here instead, where waiting
 * costs no connection and nobody is woken only to find the row taken again. Between processes the locks decide.
 */

const nameOf = ({ account }: AccountScope, eventId: number) => `${account.id}/${eventId}`

const turns = new WeakMap<object, Map<string, Promise<unknown>>>()

/** One after the other. */
export const inTurn = async <T>(scope: AccountScope, eventId: number, work: () => Promise<T>): Promise<T> => {
  const lines = turns.get(scope.house) ?? new Map<string, Promise<unknown>>()
  turns.set(scope.house, lines)
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

/** Those who wait are served together. */
export const together = <Asked, Answer>(serve: (asked: Asked[]) => Promise<Answer[]>) => {
  const houses = new WeakMap<object, Map<string, (asked: Asked) => Promise<Answer>>>()

  return (scope: AccountScope, eventId: number, asked: Asked): Promise<Answer> => {
    const lines = houses.get(scope.house) ?? new Map<string, (asked: Asked) => Promise<Answer>>()
    houses.set(scope.house, lines)
    if (lines.size > LINES_MAX) lines.clear()

    const name = nameOf(scope, eventId)
    const line = lines.get(name) ?? gather(serve, { most: TOGETHER_MAX, abreast: 1 })
    lines.set(name, line)
    return line(asked)
  }
}
