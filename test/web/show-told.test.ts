import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { showTold } from '../../web/ui/show-told.ts'

test('an answer that was asked for before does not take the place of what a stream has told since', async () => {
  const queries = new QueryClient()
  for (const known of [undefined, 1]) {
    const queryKey = ['night', known]
    if (known !== undefined) queries.setQueryData(queryKey, known)
    const late = Promise.withResolvers<number>()
    const asked = queries
      .fetchQuery({ queryKey, queryFn: ({ signal }) => (signal.throwIfAborted(), late.promise), staleTime: 0 })
      .catch(() => 'called back')
    showTold(queries, queryKey, 3)
    late.resolve(2)
    await asked
    expect(queries.getQueryData(queryKey)).toBe(3)
  }
})
