import { Readable } from 'node:stream'
import type { CallerScope } from '../../access/scopes.ts'
import { describeError } from '../../kernel/log.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { TASK_VIEWERS_CHANNEL, findTaskViewers } from '../viewers/records.ts'
import { showTaskViewers } from '../viewers/wire.ts'
import { BOARDS_CHANNEL, findLastChangeNumber, findBoardChanges } from './records.ts'
import { formatChangeEvent, formatServerSentEvent } from './wire.ts'

const HEARTBEAT_MS = 10_000
/** Whoever has died says nothing; so it is looked at now and then. */
const VIEWERS_MS = 5_000
const RETRY_MS = 2_000
/** Whoever reads this far behind comes back later and is told what was missed. */
const BACKLOG_MAX = 256 * 1024

interface Listener {
  account: CallerScope
  /** The number of the last change the listener knows; null: begin now. */
  after: number | null
  /** Whether it also wants to know who looks at the board. */
  withViewers: boolean
  readmit: () => Promise<{ account: CallerScope }>
  closing: AbortSignal
}

/**
 * Tells what changes on the board until the listener leaves, the server stops or the credential dies. Whoever
 * listens is looked up anew before every message, and again once it is read: what was allowed when the stream began may
 * not be any more.
 */
export const streamChanges = async ({ account, after, withViewers, readmit, closing }: Listener): Promise<Readable> => {
  const stream = new Readable({ read: () => {} })
  let known = after ?? (await findLastChangeNumber(account))
  let events: string | null = null
  let isLooking = false
  let mustLook = true
  let hasEnded = false
  let viewers: string | null = null
  let lookingAtViewers: Promise<unknown> = Promise.resolve()

  const end = () => {
    hasEnded = true
    stream.push(null)
  }

  const isWanted = () => mustLook && !hasEnded && !stream.destroyed

  const say = (text: string) => {
    if (hasEnded || text === '') return
    stream.push(text)
    if (stream.readableLength > BACKLOG_MAX) stream.destroy()
  }

  const tellNews = async () => {
    const scope = (await readmit()).account
    const news = await findBoardChanges(scope, known)
    const isOtherBoard = events !== null && events !== news.eventIds.join()
    const isReload = news.isIncomplete || isOtherBoard
    const text = isReload
      ? formatServerSentEvent('reload', news.last, {})
      : news.changes.map(formatChangeEvent).join('')
    // What happened after somebody was shut out may have been read all the same.
    const reach = text === '' ? scope.reach : (await readmit()).account.reach
    if (reach !== scope.reach) {
      mustLook = true
      return
    }
    events = news.eventIds.join()
    known = news.last
    say(text)
  }

  const tellViewers = async () => {
    const now = showTaskViewers(await findTaskViewers((await readmit()).account))
    const text = JSON.stringify(now)
    if (text === viewers) return
    viewers = text
    say(formatServerSentEvent('viewers', known, now))
  }

  /** One after the other, so that the latest is told last. */
  const lookAtViewers = () => {
    if (hasEnded || stream.destroyed) return
    lookingAtViewers = lookingAtViewers.then(tellViewers).catch((error: unknown) => {
      if (error instanceof Refusal) end()
      else account.app.log.warn(describeError(error), 'the viewers of a board could not be looked at')
    })
  }

  const look = async () => {
    mustLook = true
    if (isLooking || !isWanted()) return
    isLooking = true
    try {
      do {
        mustLook = false
        await tellNews()
      } while (isWanted())
    } catch (error) {
      // A refusal: the credential is dead. Anything else may pass; the next heartbeat looks again.
      if (error instanceof Refusal) end()
      else account.app.log.warn(describeError(error), 'a board could not be looked at')
    } finally {
      isLooking = false
    }
  }

  // Before anything can be heard, since whatever is heard may say more.
  say(`retry: ${RETRY_MS}\n${formatServerSentEvent('ready', known, {})}`)
  const leave = await account.listen(BOARDS_CHANNEL, (notice) => {
    if (notice === null || notice === String(account.account.id)) void look()
  })
  const leaveViewers = withViewers ? await followViewers(account, lookAtViewers) : () => {}
  const heart = setInterval(() => {
    say(':\n\n')
    void look()
  }, HEARTBEAT_MS)
  closing.addEventListener('abort', end)
  stream.once('close', () => {
    leave()
    leaveViewers()
    clearInterval(heart)
    closing.removeEventListener('abort', end)
  })

  void look()
  if (closing.aborted) end()
  return stream
}

/** Calls back when somebody comes or goes, and now and then because nobody says that they have died. */
const followViewers = async (account: CallerScope, look: () => void): Promise<() => void> => {
  const leave = await account.listen(TASK_VIEWERS_CHANNEL, (notice) => {
    if (notice === null || notice === String(account.account.id)) look()
  })
  const timer = setInterval(look, VIEWERS_MS)
  look()
  return () => {
    leave()
    clearInterval(timer)
  }
}
