import { setImmediate as letOthersWork } from 'node:timers/promises'
import { TURN_MS } from '../kernel/map-yielding.ts'

let last: Promise<void> = Promise.resolve()
let turnEnds = 0

/**
 * Whoever else the process serves has its turn when there was nothing but drawing for a while. It may be
 * answering at the door, which must not wait for a party's twenty pages, nor for twenty parties' one.
 */
export const yieldBetweenPages = (): Promise<void> => (last = last.then(yieldWhenLong))

const yieldWhenLong = async () => {
  if (performance.now() < turnEnds) return
  await letOthersWork()
  turnEnds = performance.now() + TURN_MS
}
