import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { findNextEvents } from '../../ui/next-events.ts'
import { createFormat } from '../../ui/format.ts'
import { containsAllWords } from '../../ui/match-text.ts'
import type { PaletteItem } from '../../ui/palette.tsx'
import type { Language } from '../../ui/words.ts'
import { exportPath } from './queries.ts'
import { orderWords } from './words.ts'

const ITEMS_MAX = 6
const LETTERS_MIN = 2
/** Without an event in the address those that come next are searched. */

interface Context {
  queries: QueryClient
  language: Language
  go: (path: string) => void
  slug: string | null
}

/** Orders by the name, address or code of whoever bought them: of the event that is open, else of the next ones. */
export const findItems = async (text: string, { queries, language, go, slug }: Context): Promise<PaletteItem[]> => {
  const words = orderWords[language]
  const { money } = createFormat(language)
  const wanted = text.trim()
  if (wanted.length < LETTERS_MIN) return []
  const slugs = slug === null ? await findNextEvents(queries) : [slug]
  const found = await Promise.all(slugs.map((each) => findInEvent(queries, each, wanted)))
  const actions =
    slug !== null && containsAllWords(words.palette.save, wanted)
      ? [{ id: 'orders-save', label: words.palette.save, run: () => location.assign(exportPath(slug)) }]
      : []
  return [
    ...found
      .flat()
      .slice(0, ITEMS_MAX)
      .map(({ public_id, customer_name, display_number, total, currency, status }) => ({
        id: `order-${public_id}`,
        label: `${customer_name} · ${display_number}`,
        hint: `${money(total, currency)}, ${words.statuses[status]}`,
        run: () => go(`/orders/${public_id}`),
      })),
    ...actions,
  ]
}

const findInEvent = async (queries: QueryClient, slug: string, text: string) => {
  const { orders } = await queries.fetchQuery({
    queryKey: ['events', slug, 'orders by text', text],
    queryFn: ({ signal }) =>
      dataOrThrow(
        api.GET('/admin/events/{event_slug}/orders', {
          params: { path: { event_slug: slug }, query: { query: text } },
          signal,
        }),
      ),
    staleTime: 30_000,
  })
  return orders.slice(0, ITEMS_MAX)
}
