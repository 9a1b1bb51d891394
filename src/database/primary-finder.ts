import pg from 'pg'
import type { DatabaseHost } from '../kernel/database-url.ts'
import { sleepUnlessAborted } from '../kernel/sleep.ts'

/** The server that takes writes at the moment. */
export interface Primary extends DatabaseHost {
  timeline: number
}

export interface PrimaryFinder {
  /** The one that is known, or whoever answers now; fails when no server takes writes. */
  find(): Promise<Primary>
  close(): Promise<void>
}

interface FinderOptions {
  hosts: readonly DatabaseHost[]
  connectionTo: (host: DatabaseHost) => pg.ClientConfig
  /** Told whenever another server has taken over from the one that was known. */
  onMove: (primary: Primary, former: Primary) => void
  watchEveryMs?: number
}

/** No server takes writes at the moment, which counts as the database being away. */
class NoPrimary extends Error {
  readonly code = 'ECONNREFUSED'
}

const PROBE_MS = 2_000
const WATCH_EVERY_MS = 1_000
/** How long those who have not answered are waited for when somebody has: a server that was away may think it is still the one. */
const LATE_ANSWERS_MS = 300

/**
 * Asks all servers at once who takes writes. Every promotion begins a new timeline, so of two that do, the one with the
 * later timeline is right, and one with an earlier timeline than was ever seen is a former one that came back.
 */
export const openPrimaryFinder = ({
  hosts,
  connectionTo,
  onMove,
  watchEveryMs = WATCH_EVERY_MS,
}: FinderOptions): PrimaryFinder => {
  let known: { primary: Primary; client: pg.Client } | null = null
  let last: Primary | null = null
  let finding: Promise<Primary> | null = null
  const closing = new AbortController()

  const forget = (client: pg.Client) => {
    if (known?.client === client) known = null
    hangUp(client)
  }

  const choose = async (): Promise<Primary> => {
    const answers = await askAll(hosts, connectionTo)
    const writing = answers.flatMap((answer) => ('primary' in answer ? [answer] : []))
    const latest = Math.max(last?.timeline ?? 0, ...writing.map(({ primary }) => primary.timeline))
    const able = writing.filter(({ primary }) => primary.timeline === latest)
    const chosen = able.find(({ primary }) => last && isSame(primary, last)) ?? able[0]
    for (const { client } of writing) if (client !== chosen?.client) hangUp(client)
    if (!chosen || closing.signal.aborted) {
      if (chosen) hangUp(chosen.client)
      throw new NoPrimary(`No server takes writes: ${answers.map(sayWhyNot).join('; ')}`)
    }
    const { primary, client } = chosen
    const former = last
    known = { primary, client }
    last = primary
    client.on('error', () => forget(client))
    client.on('end', () => forget(client))
    if (former && !isSame(former, primary)) onMove(primary, former)
    return primary
  }

  const find = async () =>
    known?.primary ??
    (finding ??= choose().finally(() => {
      finding = null
    }))

  /** A server that is gone without a word, or that no longer takes writes, is found out here and nowhere else. */
  const watch = async () => {
    while (await sleepUnlessAborted(closing.signal, watchEveryMs, { isHeld: false })) {
      const { client } = known ?? {}
      if (client && !(await isStillPrimary(client))) forget(client)
      // Nobody who takes writes: whoever needs one is told so, and it is looked for again in a moment.
      if (last) await find().catch(() => {})
    }
  }
  const watching = watch()

  return {
    find,
    close: async () => {
      closing.abort()
      await finding?.catch(() => {})
      if (known) forget(known.client)
      await watching
    },
  }
}

export const isSame = (a: DatabaseHost, b: DatabaseHost) => a.host === b.host && a.port === b.port

type Answer = { primary: Primary; client: pg.Client } | { host: DatabaseHost; fault: string }

const sayWhyNot = (answer: Answer) =>
  'primary' in answer
    ? `${answer.primary.host}:${answer.primary.port} is a former primary`
    : `${answer.host.host}:${answer.host.port} ${answer.fault}`

/** All answers; once one of them takes writes, those that come within a moment. */
const askAll = async (hosts: readonly DatabaseHost[], connectionTo: FinderOptions['connectionTo']) => {
  const answers: Answer[] = []
  const isEnough = Promise.withResolvers<void>()
  let isOver = false
  const asking = hosts.map(async (host) => {
    const answer = await ask(host, connectionTo(host))
    if (isOver) {
      if ('primary' in answer) hangUp(answer.client)
      return
    }
    answers.push(answer)
    if ('primary' in answer) setTimeout(isEnough.resolve, LATE_ANSWERS_MS).unref()
  })
  await Promise.race([Promise.all(asking), isEnough.promise])
  isOver = true
  return answers
}

const STANDING = `
  select current_setting('transaction_read_only') = 'off' as writes,
    case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as "walFile"`

interface Standing {
  writes: boolean
  walFile: string | null
}

const ask = async (host: DatabaseHost, connection: pg.ClientConfig): Promise<Answer> => {
  const client = new pg.Client({
    ...connection,
    application_name: 'foyer finds primary',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
    keepAlive: true,
  })
  // A connection lost between two questions fails the next one.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Standing>(STANDING)
    const { writes, walFile } = rows[0]!
    if (writes && walFile) return { primary: { ...host, timeline: timelineOf(walFile) }, client }
    hangUp(client)
    return { host, fault: walFile ? 'is read-only' : 'is a standby' }
  } catch (error) {
    hangUp(client)
    const { message, code } = error as NodeJS.ErrnoException
    return { host, fault: `does not answer (${message || code})` }
  }
}

/** A file of the log is named by its timeline first: eight hexadecimal digits. */
const timelineOf = (walFile: string) => Number.parseInt(walFile.slice(0, 8), 16)

const isStillPrimary = async (client: pg.Client): Promise<boolean> => {
  try {
    const { rows } = await client.query<Standing>(STANDING)
    return rows[0]!.writes
  } catch {
    // Whatever it was, the server is asked anew like all others.
    return false
  }
}

const hangUp = (client: pg.Client) => {
  client.end().catch(() => {})
}
