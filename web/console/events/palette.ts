import type { QueryClient } from '@tanstack/react-query'
import { createFormat } from '../../ui/format.ts'
import { containsAllWords } from '../../ui/match-text.ts'
import type { PaletteItem } from '../../ui/palette.tsx'
import type { Language } from '../../ui/words.ts'
import { eventsQuery } from './queries.ts'

const ITEMS_MAX = 8

/** Events by name, the next one first. */
export const findItems = async (
  text: string,
  { queries, language, go }: { queries: QueryClient; language: Language; go: (path: string) => void },
): Promise<PaletteItem[]> => {
  const { events } = await queries.fetchQuery(eventsQuery(false))
  const { date } = createFormat(language)
  return events
    .filter(({ title }) => containsAllWords(title, text))
    .slice(0, ITEMS_MAX)
    .map(({ slug, title, starts_at, time_zone }) => ({
      id: `event-${slug}`,
      label: title,
      hint: date(starts_at, time_zone, 'day'),
      run: () => go(`/events/${slug}`),
    }))
}
