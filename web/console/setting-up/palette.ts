import type { QueryClient } from '@tanstack/react-query'
import { containsAllWords } from '../../ui/match-text.ts'
import type { PaletteItem } from '../../ui/palette.tsx'
import type { Language } from '../../ui/words.ts'
import { eventsQuery } from './queries.ts'
import { setupWords } from './words.ts'

const ITEMS_MAX = 8

/** Setting something new up, and every part of the events that the text names. */
export const findItems = async (
  text: string,
  { queries, language, go }: { queries: QueryClient; language: Language; go: (path: string) => void },
): Promise<PaletteItem[]> => {
  const words = setupWords[language]
  const create = { id: 'new-event', label: words.newEvent, run: () => go('/new-event') }
  if (text.trim() === '') return [create]
  const { events } = await queries.fetchQuery(eventsQuery())
  const items = events.flatMap(({ slug, title }) =>
    (
      [
        ['setUp', ''],
        ['tickets', '/tickets'],
        ['seats', '/seats'],
        ['publish', '/publish'],
      ] as const
    ).map(([name, path]) => ({
      id: `${name}-${slug}`,
      label: words.palette[name](title),
      run: () => go(`/events/${slug}/setup${path}`),
    })),
  )
  return [create, ...items].filter(({ label }) => containsAllWords(label, text)).slice(0, ITEMS_MAX)
}
