import { setImmediate as letOthersWork } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Waits for one's turn among all documents that are drawn at the same time: one page, then whoever else the process
 * serves. It may be answering at the door, which must not wait for a party's twenty pages, nor for twenty parties' one.
 */
export const nextTurn = (): Promise<void> => (last = last.then(() => letOthersWork()))
