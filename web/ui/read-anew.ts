import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query'

/** Reads anew what is shown of something that has changed, and marks the rest as old. */
export const readAnew = async (queries: QueryClient, changed: InvalidateQueryFilters): Promise<void> => {
  // What is on its way for the first time may have been read before the change, and cannot be called back.
  const onTheirWay = queries
    .getQueryCache()
    .findAll({ ...changed, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  await queries.invalidateQueries(changed)
  const arrived = onTheirWay.filter(({ state }) => state.data !== undefined)
  await Promise.all(arrived.map(({ queryKey }) => queries.invalidateQueries({ queryKey, exact: true })))
}
