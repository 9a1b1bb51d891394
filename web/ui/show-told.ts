import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Shows what a stream has told. What was asked for before is older, and would take its place: it is called back. */
export const showTold = (queries: QueryClient, queryKey: QueryKey, told: unknown): void => {
  void queries.cancelQueries({ queryKey, exact: true })
  queries.setQueryData(queryKey, told)
}
