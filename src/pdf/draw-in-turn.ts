import { setImmediate as letOthersWork } from 'node:timers/promises'
import { TURN_MS } from '../kernel/map-yielding.ts'
import { oneByOne } from '../kernel/one-by-one.ts'

const inTurn = oneByOne()
let turnEnds = 0

/**
 * Pages are drawn one after the other, whosever they are, and whoever else the process serves has its turn when there
 * was nothing but drawing for a while. It may be answering at the door, which must wait neither for a party's twenty
 * pages nor for twenty parties' one.
 */
export const drawInTurn = <T>(draw: () => T | Promise<T>): Promise<T> =>
  inTurn(async () => {
    await yieldWhenLong()
    return draw()
  })

const yieldWhenLong = async () => {
  if (performance.now() < turnEnds) return
  await letOthersWork()
  turnEnds = performance.now() + TURN_MS
}
