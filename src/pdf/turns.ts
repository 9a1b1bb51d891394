import { setImmediate as letOthersWork } from 'node:timers/promises'

/** As long as many a page takes, and no longer than a guest at the door would notice. */
const TURN_MS = 10

let last: Promise<void> = Promise.resolve()
let turnEnds = 0

/**
 * Between pages, whoever else the process serves has its turn when there was nothing but drawing for a while. It may be
 * answering at the door, which must not wait for a party's twenty pages, nor for twenty parties' one.
 */
export const nextTurn = (): Promise<void> => (last = last.then(yieldWhenLong))

const yieldWhenLong = async () => {
  if (performance.now() < turnEnds) return
  await letOthersWork()
  turnEnds = performance.now() + TURN_MS
}
