import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { findNextEvents } from '../../ui/next-events.ts'
import type { PaletteItem } from '../../ui/palette.tsx'
import type { Language } from '../../ui/words.ts'
import { guestListQuery } from './list-query.ts'
import { filterParties, makeSearchable } from './rules.ts'
import { guestWords } from './words.ts'

const ITEMS_MAX = 6
const LETTERS_MIN = 2
/** Without an event in the address those that come next are searched. */

/** Parties by name: of the event that is open, else of the next ones. */
export const findItems = async (
  text: string,
  { queries, language, go }: { queries: QueryClient; language: Language; go: (path: string) => void },
): Promise<PaletteItem[]> => {
  const words = guestWords[language]
  const open = /\/events\/([^/?]+)/.exec(location.pathname)?.[1]
  const wanted = text.trim()
  const actions: PaletteItem[] = open
    ? [
        { id: 'guests-add', label: words.add, run: () => go(`/events/${open}/guests?add=1`) },
        { id: 'guests-import', label: words.importTitle, run: () => go(`/events/${open}/guests/import`) },
      ].filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()))
    : []
  if (wanted.length < LETTERS_MIN) return wanted === '' ? [] : actions
  const slugs = open ? [decodeURIComponent(open)] : await findNextEvents(queries)
  const found = await Promise.all(slugs.map((slug) => findInEvent(queries, slug, wanted)))
  const parties = found.flat().slice(0, ITEMS_MAX)
  return [
    ...parties.map(({ slug, publicId, name, size }) => ({
      id: `party-${publicId}`,
      label: name,
      hint: [words.people(size), open ? null : slug].filter(Boolean).join(' · '),
      run: () => go(`/events/${slug}/guests/${publicId}`),
    })),
    ...actions,
  ]
}

/** A list that is there already is searched at once; otherwise the server is asked. */
const findInEvent = async (queries: QueryClient, slug: string, text: string) => {
  const list = queries.getQueryData(guestListQuery(slug).queryKey)
  const parties = list
    ? filterParties(makeSearchable(list.guest_parties), { show: 'all', text, ticketId: null })
    : await queries.fetchQuery({
        queryKey: ['events', slug, 'guests by name', text],
        queryFn: async ({ signal }) => {
          const params = { path: { event_slug: slug }, query: { query: text } }
          return (await dataOrThrow(api.GET('/admin/events/{event_slug}/guest_list', { params, signal }))).guest_parties
        },
        staleTime: 30_000,
      })
  return parties.slice(0, ITEMS_MAX).map(({ public_id, customer_name, party_size }) => ({
    slug,
    publicId: public_id,
    name: customer_name,
    size: party_size,
  }))
}
