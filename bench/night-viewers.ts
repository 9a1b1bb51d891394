import { openEventStream } from '../test/kit/network/event-stream.ts'
import { takeTask } from './frame.ts'

/** Screens that show a night, each with a credential of its own. */
export interface ViewersTask {
  url: string
  tokens: string[]
  seconds: number
}

export interface ViewersOutcome {
  /** What each of them was told, and when by the clock of the machine. */
  viewers: { at: number; arrived: number }[][]
}

const watch = async ({ url, tokens, seconds }: ViewersTask): Promise<ViewersOutcome> => {
  const end = Date.now() + seconds * 1_000
  const follow = async (token: string) => {
    const stream = await openEventStream(url, { authorization: `Bearer ${token}` })
    const told: { at: number; arrived: number }[] = []
    while (Date.now() < end) {
      const { data } = await stream.next(30_000)
      told.push({ at: Date.now(), arrived: data.arrived })
    }
    await stream.close()
    return told
  }
  return { viewers: await Promise.all(tokens.map(follow)) }
}

await takeTask(watch)
