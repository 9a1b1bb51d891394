import type { Schemas } from '../../api/client.ts'

export type PartyResults = Schemas['GuestPartyResults']

/** So many at once are taken by the API; the rest follow. */
const AT_ONCE = 500

export const inTurns = async (
  ids: readonly string[],
  ask: (some: string[]) => Promise<PartyResults>,
): Promise<PartyResults> => {
  const all: PartyResults = { done_count: 0, results: [] }
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const { done_count, results } = await ask(ids.slice(start, start + AT_ONCE))
    all.done_count += done_count
    all.results.push(...results)
  }
  return all
}
