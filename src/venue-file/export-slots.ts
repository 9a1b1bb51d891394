import { TooManyRequests } from '../kernel/refusals.ts'

/** Each export keeps a connection of its process for as long as its reader takes; the others are for everybody else. */
const AT_ONCE_MAX = 4
const WAIT_MS = 5_000
const RETRY_MS = 30_000

interface Waiting {
  accountId: number
  begin: () => void
}

/** Who may export now: one of each account, and not too many in all. Whoever waits for long is told to come again. */
export class ExportSlots {
  readonly #running = new Set<number>()
  #waiting: Waiting[] = []
  readonly #waitMs: number

  constructor(waitMs = WAIT_MS) {
    this.#waitMs = waitMs
  }

  /** Answers with what ends the turn. */
  async take(accountId: number): Promise<() => void> {
    if (!this.#isFree(accountId)) await this.#wait(accountId)
    this.#running.add(accountId)
    return () => {
      this.#running.delete(accountId)
      this.#wakeNext()
    }
  }

  #isFree(accountId: number): boolean {
    return this.#running.size < AT_ONCE_MAX && !this.#running.has(accountId)
  }

  #wait(accountId: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
        reject(new TooManyRequests(RETRY_MS))
      }, this.#waitMs)
      const begin = () => {
        clearTimeout(giveUp)
        // Taken here already, so that nobody slips in between.
        this.#running.add(accountId)
        resolve()
      }
      const waiting = { accountId, begin }
      this.#waiting.push(waiting)
    })
  }

  #wakeNext(): void {
    const next = this.#waiting.find(({ accountId }) => this.#isFree(accountId))
    if (!next) return
    this.#waiting = this.#waiting.filter((each) => each !== next)
    next.begin()
  }
}
