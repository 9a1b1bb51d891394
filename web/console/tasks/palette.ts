import type { QueryClient } from '@tanstack/react-query'
import { containsAllWords } from '../../ui/match-text.ts'
import type { PaletteItem } from '../../ui/palette.tsx'
import type { Language } from '../../ui/words.ts'
import { boardQuery } from './queries.ts'
import { filterTasks } from './rules.ts'
import { taskWords } from './words.ts'

const ITEMS_MAX = 6
const LETTERS_MIN = 2

/** Tasks by their words, and the ways to the board that are used most. */
export const findItems = async (
  text: string,
  { queries, language, go }: { queries: QueryClient; language: Language; go: (path: string) => void },
): Promise<PaletteItem[]> => {
  const words = taskWords[language]
  const wanted = text.trim()
  if (wanted === '') return []
  const actions: PaletteItem[] = [
    { id: 'tasks-new', label: words.add, run: () => go('/tasks?add=open') },
    { id: 'tasks-mine', label: words.palette.mine, run: () => go('/tasks?assignee=me') },
    { id: 'tasks-overdue', label: words.palette.overdue, run: () => go('/tasks?due=overdue') },
    { id: 'tasks-archive', label: words.palette.archive, run: () => go('/tasks?view=archive') },
  ].filter(({ label }) => containsAllWords(label, wanted))
  if (wanted.length < LETTERS_MIN) return actions
  const { tasks } = await queries.fetchQuery(boardQuery)
  const found = filterTasks(tasks, { text: wanted }, { me: 0, today: '' })
  return [
    ...found.slice(0, ITEMS_MAX).map(({ id, title, status, event }) => ({
      id: `task-${id}`,
      label: title,
      hint: [words.statuses[status], event?.title].filter(Boolean).join(' · '),
      run: () => go(`/tasks/${encodeURIComponent(id)}`),
    })),
    ...actions,
  ]
}
