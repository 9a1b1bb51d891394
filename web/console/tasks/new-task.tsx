import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useDraft } from '../../ui/draft.ts'
import { useFocusOnFirstField } from '../../ui/form/focus.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { isManager, useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import { replaceTask } from './moves.ts'
import { eventsQuery } from './queries.ts'
import { type Status, TITLE_MAX } from './rules.ts'
import classes from './tasks.module.css'
import { taskWords } from './words.ts'

interface NewTaskProps {
  status: Status
  /** The event that the board is narrowed to. */
  eventSlug: string | null
  onClose: () => void
}

/** Tasks as they come to mind: Enter adds one and waits for the next. */
export const NewTask = ({ status, eventSlug, onClose }: NewTaskProps) => {
  const words = useWords(taskWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const { role } = useSession()
  const [title, setTitle, drop] = useDraft(`new task in ${status}`)
  const [chosen, setChosen] = useState(eventSlug ?? '')
  const form = useFocusOnFirstField()
  // Whoever works on some events only writes tasks about one of them.
  const mustChoose = !isManager(role)
  const events = useQuery({ ...eventsQuery, enabled: mustChoose })
  const slug = mustChoose && chosen === '' ? (events.data?.events[0]?.slug ?? '') : chosen

  const creation = useMutation({
    mutationFn: (sent: string) =>
      dataOrThrow(
        api.POST('/admin/tasks', { body: { task: { title: sent, status, ...(slug !== '' && { event_slug: slug }) } } }),
      ),
    onSuccess: (task, sent) => {
      drop(sent)
      replaceTask(queries, task.id, task)
      if (!isManager(role)) void queries.invalidateQueries({ queryKey: ['tasks', 'board'] })
      form.current?.querySelector('input')?.focus()
    },
  })
  const faults = faultsByField(creation.error)
  const fault = creation.isError ? (faults['title'] ?? faults['event_slug'] ?? refusalSentence(creation.error)) : null

  return (
    <form
      ref={form}
      className={classes.newTask}
      aria-label={words.newTitle(words.statuses[status])}
      onSubmit={(event) => {
        event.preventDefault()
        if (!creation.isPending) creation.mutate(title)
      }}
    >
      <TextInput
        aria-label={words.newTitle(words.statuses[status])}
        placeholder={words.newHint}
        value={title}
        maxLength={TITLE_MAX}
        onChange={(event) => {
          setTitle(event.currentTarget.value)
          if (creation.isError) creation.reset()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onClose()
        }}
        error={fault}
        dir="auto"
        autoComplete="off"
        required
      />
      {mustChoose && events.data && (
        <NativeSelect
          aria-label={words.event}
          value={slug}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={events.data.events.map((event) => ({ value: event.slug, label: event.title }))}
        />
      )}
      <div className={classes.newTaskTools}>
        <Button type="submit" size="compact-md" loading={creation.isPending}>
          {words.create}
        </Button>
        <Button size="compact-md" variant="subtle" color="gray" onClick={onClose}>
          {common.close}
        </Button>
      </div>
    </form>
  )
}
