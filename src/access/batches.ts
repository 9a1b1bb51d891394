import { coalesce } from '../database/coalesce.ts'
import { isDatabaseUnavailable, isStatementFault } from '../database/database.ts'
import { describeError } from '../kernel/log.ts'
import { type AccountScope, CallerScope, type Rows, type Tx } from './scopes.ts'

/** Where somebody waits: with all others of the same line. */
export interface Waiting {
  scope: AccountScope
  /** What they wait for within the account, like an event, as the log names it; without it the account is one line. */
  line?: Readonly<Record<string, number>>
  /** What of the account is changed, where nobody else may change the same in one go. */
  subject?: string | number
}

/** The most that are served at once: a handful that wait for one another, and not a night's work. */
const TOGETHER_MAX = 16
const LINES_MAX = 500

/**
 * Those who wait in one line are served together, in one transaction, in which each leaves the note of its own request.
 * It finds what they ask for by keys, and is planned so.
 * Where one of them cannot be served, each is served again by itself, so that nobody pays for somebody else's fault.
 */
export const batchTransactions = <Asked extends object, Answer>(
  waitingOf: (asked: Asked) => Waiting,
  work: (tx: Tx, asked: readonly Asked[]) => Promise<Answer[]>,
) => {
  const serveAll = async (asked: readonly Asked[]): Promise<Answer[]> => {
    const scopes = asked.map((each) => waitingOf(each).scope)
    const shared = scopes[0]!
    try {
      return await (shared instanceof CallerScope ? shared.unnoted() : shared).transaction(
        (tx) => workInRounds(asked, waitingOf, (round) => work(tx, round)),
        { isKeyed: true },
      )
    } catch (error) {
      for (const scope of scopes) if (scope instanceof CallerScope) scope.note?.forget()
      throw error
    }
  }

  const serve = async (asked: Asked[]): Promise<(() => Answer)[]> => {
    const answers = await settle(() => serveAll(asked))
    if (answers.kind === 'done') return answers.value.map((answer) => () => answer)
    const isOfAll = isDatabaseUnavailable(answers.error) && !isStatementFault(answers.error)
    if (asked.length === 1 || isOfAll) throw answers.error

    // One of them is at fault, or all of them are, and then serving each by itself hides a slowness without a reason.
    const { scope, line } = waitingOf(asked[0]!)
    scope.app.log.warn(
      { ...describeError(answers.error), account: scope.account.id, ...line, together: asked.length },
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

  const lines = openLines(() => coalesce(serve, { maxBatch: TOGETHER_MAX, concurrency: 1 }))

  return async (asked: Asked): Promise<Answer> => {
    const { scope, line } = waitingOf(asked)
    // Nobody else is let into a transaction that is somebody's own.
    if (scope.isWithinTransaction) return (await serveAll([asked]))[0]!
    return (await lines(scope, line)(asked))()
  }
}

/** Those of one account who ask at the same time are answered by one statement, which begins after the last has asked. */
export const batchReads = <Key, Value>(read: (rows: Rows, keys: readonly Key[]) => Promise<Value[]>) => {
  const lines = openLines(() =>
    coalesce((asked: { scope: AccountScope; key: Key }[]) =>
      read(
        asked[0]!.scope.keyLookups,
        asked.map(({ key }) => key),
      ),
    ),
  )
  return async (scope: AccountScope, key: Key): Promise<Value> =>
    scope.isWithinTransaction ? (await read(scope.rows, [key]))[0]! : lines(scope)({ scope, key })
}

/** Those of one account who ask the same at the same time share one answer, of a statement begun after the last has asked. */
export const shareReads = <Key extends object, Value>(read: (rows: Rows, key: Key) => Promise<Value>) => {
  const lines = openLines(() =>
    coalesce(async (asked: { scope: AccountScope; key: Key }[]) => {
      const value = await read(asked[0]!.scope.keyLookups, asked[0]!.key)
      return asked.map(() => value)
    }),
  )
  return async (scope: AccountScope, key: Key): Promise<Value> =>
    scope.isWithinTransaction ? read(scope.rows, key) : lines(scope, key)({ scope, key })
}

/** Lets so many of one account work at once. */
export const limitPerAccount = (most: number) => {
  const lines = openLines(() =>
    coalesce(async ([work]: (() => Promise<unknown>)[]) => [await work!()], { maxBatch: 1, concurrency: most }),
  )
  return async <T>(scope: AccountScope, work: () => Promise<T>): Promise<T> => (await lines(scope)(work)) as T
}

/** A line of its own for each account of each installation in this process, and for each name within it. */
const openLines = <Line>(open: () => Line) => {
  const apps = new WeakMap<object, Map<string, Line>>()
  return (scope: AccountScope, within: object = {}): Line => {
    const lines = apps.get(scope.app) ?? new Map<string, Line>()
    apps.set(scope.app, lines)
    if (lines.size > LINES_MAX) lines.clear()

    const key = JSON.stringify([scope.account.id, within])
    const line = lines.get(key) ?? open()
    lines.set(key, line)
    return line
  }
}

/** Who changes the same as somebody before them comes after, and sees what that one has done. */
const workInRounds = async <Asked, Answer>(
  asked: readonly Asked[],
  waitingOf: (asked: Asked) => Waiting,
  work: (asked: readonly Asked[]) => Promise<Answer[]>,
): Promise<Answer[]> => {
  const answers = new Map<Asked, Answer>()
  let left = asked
  while (left.length > 0) {
    const round = new Map(left.toReversed().map((each) => [waitingOf(each).subject ?? each, each]))
    const now = left.filter((each) => round.get(waitingOf(each).subject ?? each) === each)
    const given = await work(now)
    now.forEach((each, n) => answers.set(each, given[n]!))
    left = left.filter((each) => !answers.has(each))
  }
  return asked.map((each) => answers.get(each)!)
}

type Settled<T> = { kind: 'done'; value: T } | { kind: 'failed'; error: unknown }

const settle = async <T>(work: () => Promise<T>): Promise<Settled<T>> => {
  try {
    return { kind: 'done', value: await work() }
  } catch (error) {
    return { kind: 'failed', error }
  }
}
