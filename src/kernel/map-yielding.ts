import { setImmediate as letOthersWork } from 'node:timers/promises'

/** Long enough for a thousand ordinary things, short enough for nobody to notice. */
export const TURN_MS = 10

/** Like Array.map, for work that somebody may have made long: other requests are answered in between. */
export const mapYielding = async <T, R>(things: readonly T[], work: (thing: T) => R): Promise<R[]> => {
  const results: R[] = []
  let turnEnds = performance.now() + TURN_MS
  for (const thing of things) {
    if (performance.now() > turnEnds) {
      await letOthersWork()
      turnEnds = performance.now() + TURN_MS
    }
    results.push(work(thing))
  }
  return results
}
