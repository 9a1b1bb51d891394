import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { uploadTaskFile } from '../../api/upload.ts'
import { RichTextField } from '../../ui/editor/rich-text-field.tsx'
import { useEdit } from '../../ui/form/edit.ts'
import { FormFooter } from '../../ui/form/form-end.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { isManager, useSession } from '../../ui/session.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { rememberTask } from './moves.ts'
import { assigneesQuery, eventsQuery, readTask } from './queries.ts'
import { TITLE_MAX, type Task } from './rules.ts'
import { taskPageWords } from './task-words.ts'
import classes from './task.module.css'

/** What a person can write in a task. Empty is none. */
interface TaskFields {
  title: string
  description: string
  due_on: string
  assignee_id: string
  event_slug: string
}

const fieldsOf = (task: Task): TaskFields => ({
  title: task.title,
  description: task.description_html,
  due_on: task.due_on ?? '',
  assignee_id: task.assignee ? String(task.assignee.id) : '',
  event_slug: task.event?.slug ?? '',
})

const bodyOf = (fields: TaskFields, changed: readonly (keyof TaskFields)[]) => {
  const body = {
    title: fields.title,
    description: fields.description,
    due_on: fields.due_on || null,
    assignee_id: fields.assignee_id === '' ? null : Number(fields.assignee_id),
    event_slug: fields.event_slug || null,
  }
  return Object.fromEntries(
    Object.entries(body).filter(([key]) => changed.includes(key as keyof TaskFields)),
  ) as Partial<typeof body>
}

const LARGEST_FILE = 20 * 1024 ** 2
export const TASK_FILES = { upload: uploadTaskFile, largest: LARGEST_FILE }

export const TaskForm = ({ task }: { task: Task }) => {
  const words = useWords(taskPageWords)
  const queries = useQueryClient()
  const edit = useEdit<TaskFields>({
    name: `task ${task.id}`,
    value: fieldsOf(task),
    version: task.lock_version,
    save: async (fields, changed, version) => {
      const saved = await dataOrThrow(
        api.PATCH('/admin/tasks/{id}', {
          params: { path: { id: task.id } },
          body: { task: { ...bodyOf(fields, changed), lock_version: version } },
        }),
      )
      rememberTask(queries, saved)
      showToast(words.saved)
    },
    reload: async () => {
      const fresh = await readTask(task.id)
      rememberTask(queries, fresh)
      return { value: fieldsOf(fresh), version: fresh.lock_version }
    },
  })
  const { value, set, faults } = edit
  const [isUploading, setIsUploading] = useState(false)
  const people = usePeople(task, value.event_slug)
  const events = useEvents(task)
  const nameOf = (key: string) => words.fields[key as keyof typeof words.fields] ?? key
  const showValue = (key: string, shown: unknown) => {
    const options = key === 'assignee_id' ? people : key === 'event_slug' ? events : null
    return options?.find((option) => option.value === shown)?.label
  }

  return (
    <form
      className={classes.form}
      aria-label={words.task}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!edit.isSaving && !isUploading) void edit.save()
      }}
    >
      <TextInput
        label={words.fields.title}
        value={value.title}
        maxLength={TITLE_MAX}
        dir="auto"
        onChange={(event) => set('title', event.currentTarget.value)}
        error={faults['title']}
      />
      <div className={classes.facts}>
        <NativeSelect
          label={words.fields.assignee_id}
          value={value.assignee_id}
          onChange={(event) => set('assignee_id', event.currentTarget.value)}
          error={faults['assignee_id']}
          data={people}
        />
        <TextInput
          type="date"
          label={words.fields.due_on}
          value={value.due_on}
          max="9999-12-31"
          onChange={(event) => set('due_on', event.currentTarget.value)}
          error={faults['due_on']}
        />
        <NativeSelect
          label={words.fields.event_slug}
          value={value.event_slug}
          onChange={(event) => set('event_slug', event.currentTarget.value)}
          error={faults['event_slug']}
          data={events}
        />
      </div>
      <TaskText
        value={value.description}
        isChanged={value.description !== task.description_html}
        onChange={(html) => set('description', html)}
        error={faults['description']}
        onUploading={setIsUploading}
      />
      <FormFooter edit={edit} nameOf={nameOf} showValue={showValue} isSticky isWaiting={isUploading} />
    </form>
  )
}

interface TaskTextProps {
  value: string
  isChanged: boolean
  onChange: (html: string) => void
  error: string | undefined
  onUploading: (isUploading: boolean) => void
}

/** It is read first, with its links and pictures, and written when somebody wants to. */
const TaskText = ({ value, isChanged, onChange, error, onUploading }: TaskTextProps) => {
  const words = useWords(taskPageWords)
  const [isEditing, setIsEditing] = useState(false)
  if (isEditing || isChanged || error !== undefined) {
    return (
      <RichTextField
        label={words.fields.description}
        value={value}
        onChange={onChange}
        error={error}
        files={TASK_FILES}
        onUploading={onUploading}
      />
    )
  }
  return (
    <section className={classes.text} aria-label={words.fields.description}>
      {value === '' ? <p className={classes.quiet}>{words.noText}</p> : <RichText html={value} />}
      <div>
        <Button size="compact-md" variant="default" onClick={() => setIsEditing(true)}>
          {value === '' ? words.writeText : words.editText}
        </Button>
      </div>
    </section>
  )
}

/** Who can be given it as things stand in the form; whoever has it now stays among them. */
const usePeople = (task: Task, slug: string) => {
  const words = useWords(taskPageWords)
  const { data = [] } = useQuery(assigneesQuery(slug === '' ? null : slug))
  const { assignee } = task
  const known = assignee && !data.some(({ id }) => id === assignee.id) ? [...data, assignee] : data
  return [{ value: '', label: words.nobody }, ...known.map(({ id, name }) => ({ value: String(id), label: name }))]
}

/** Whoever works on some events only cannot take a task away from all of them. */
const useEvents = (task: Task) => {
  const words = useWords(taskPageWords)
  const { role } = useSession()
  const { data } = useQuery(eventsQuery)
  const known = new Map((data?.events ?? []).map(({ slug, title }) => [slug, title]))
  if (task.event) known.set(task.event.slug, task.event.title)
  return [
    ...(isManager(role) || task.event === null ? [{ value: '', label: words.noEvent }] : []),
    ...Array.from(known, ([value, label]) => ({ value, label })),
  ]
}
