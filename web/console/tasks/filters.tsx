import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo } from 'react'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import { DUE_FILTERS, type DueFilter } from './board-search.ts'
import { assigneesQuery, eventsQuery } from './queries.ts'
import type { Task, TaskFilters } from './rules.ts'
import classes from './tasks.module.css'
import { taskWords } from './words.ts'

interface FiltersProps {
  tasks: readonly Task[]
  filters: Omit<TaskFilters, 'text'>
  onChange: (change: Omit<TaskFilters, 'text'>) => void
}

/** What the board is narrowed to. They stay as they are while somebody types. */
export const Filters = memo(({ tasks, filters, onChange }: FiltersProps) => {
  const words = useWords(taskWords)
  const { membership_id: me } = useSession()
  const candidates = useQuery(assigneesQuery(null))
  const events = useQuery(eventsQuery)

  /** Whoever can be given a task, and whoever has been given one. */
  const people = useMemo(() => {
    const known = new Map((candidates.data ?? []).map(({ id, name }) => [id, name]))
    for (const { assignee } of tasks) if (assignee) known.set(assignee.id, assignee.name)
    known.delete(me)
    return Array.from(known, ([id, name]) => ({ value: String(id), label: name })).toSorted((a, b) =>
      a.label.localeCompare(b.label),
    )
  }, [candidates.data, tasks, me])

  const slugs = useMemo(() => {
    const known = new Map((events.data?.events ?? []).map(({ slug, title }) => [slug, title]))
    for (const { event } of tasks) if (event) known.set(event.slug, event.title)
    return Array.from(known, ([value, label]) => ({ value, label }))
  }, [events.data, tasks])

  return (
    <>
      <NativeSelect
        className={classes.filter}
        aria-label={words.assignee}
        value={filters.assignee ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ assignee: value || undefined })}
        data={[
          { value: '', label: words.anybody },
          { value: 'me', label: words.me },
          { value: 'none', label: words.nobody },
          ...people,
        ]}
      />
      <NativeSelect
        className={classes.filter}
        aria-label={words.event}
        value={filters.event ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ event: value || undefined })}
        data={[{ value: '', label: words.anyEvent }, { value: 'none', label: words.noEvent }, ...slugs]}
      />
      <NativeSelect
        className={classes.filter}
        aria-label={words.due}
        value={filters.due ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ due: (value || undefined) as DueFilter | undefined })}
        data={[
          { value: '', label: words.anyDue },
          ...DUE_FILTERS.map((value) => ({ value, label: words.dues[value] })),
        ]}
      />
    </>
  )
})
Filters.displayName = 'Filters'
