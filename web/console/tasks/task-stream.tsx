import { Button, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useDraft } from '../../ui/draft.ts'
import { RichTextField } from '../../ui/editor/rich-text-field.tsx'
import { useFormat } from '../../ui/format.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { entriesQuery } from './queries.ts'
import type { Status, Task, TaskEntry } from './rules.ts'
import { TASK_FILES } from './task-form.tsx'
import { taskPageWords } from './task-words.ts'
import classes from './task.module.css'
import { taskWords } from './words.ts'

/** So many are shown at first. */
const SHOWN = 50

/** What was said and what was done, in the order in which it happened. */
export const TaskStream = ({ task, zone }: { task: Task; zone: string }) => {
  const words = useWords(taskPageWords)
  const query = useQuery(entriesQuery(task.id))
  const [isWhole, setIsWhole] = useState(false)
  const entries = query.data ?? []
  const hidden = isWhole ? 0 : Math.max(0, entries.length - SHOWN)
  return (
    <section className={classes.stream} aria-label={words.stream}>
      <Title order={2} size="lg">
        {words.stream}
      </Title>
      {query.isPending && <LoadingRows rows={2} height={48} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {hidden > 0 && (
        <Button size="compact-md" variant="default" onClick={() => setIsWhole(true)}>
          {words.earlier(hidden)}
        </Button>
      )}
      <ol className={classes.entries}>
        {entries.slice(hidden).map((entry) => (
          <Entry key={entry.id} entry={entry} zone={zone} />
        ))}
      </ol>
      <CommentForm taskId={task.id} />
    </section>
  )
}

const Entry = ({ entry, zone }: { entry: TaskEntry; zone: string }) => {
  const words = useWords(taskPageWords)
  const { date } = useFormat()
  const time = <time dateTime={entry.created_at}>{date(entry.created_at, zone, 'moment')}</time>
  const who = entry.author ?? words.somebody
  const sentence = useSentence(entry, who)
  if (entry.kind !== 'comment') {
    return (
      <li className={classes.activity}>
        <span>{sentence}</span> {time}
      </li>
    )
  }
  return (
    <li className={classes.comment}>
      <p className={classes.commentHead}>
        <strong dir="auto">{who}</strong> {time}
      </p>
      <RichText html={entry.body_html ?? ''} />
    </li>
  )
}

const useSentence = ({ kind, details }: TaskEntry, who: string): string => {
  const words = useWords(taskPageWords)
  const { statuses } = useWords(taskWords)
  const nameOf = (status: string | undefined) => statuses[status as Status] ?? status ?? ''
  if (kind === 'status') return words.told.status(who, nameOf(details.from), nameOf(details.to))
  if (kind === 'created') return words.told.created(who)
  return details.name ? words.told.assigned(who, details.name) : words.told.unassigned(who)
}

/** What is being written is kept in the tab until it has been sent. */
const CommentForm = ({ taskId }: { taskId: string }) => {
  const words = useWords(taskPageWords)
  const queries = useQueryClient()
  const [isUploading, setIsUploading] = useState(false)
  const [body, setBody, drop] = useDraft(`comment on ${taskId}`)
  const sending = useMutation({
    mutationFn: (text: string) =>
      dataOrThrow(
        api.POST('/admin/tasks/{task_id}/comments', {
          params: { path: { task_id: taskId } },
          body: { comment: { body: text } },
        }),
      ),
    onSuccess: (_comment, sent) => {
      drop(sent)
      void queries.invalidateQueries({ queryKey: entriesQuery(taskId).queryKey })
    },
  })
  const send = () => {
    if (!sending.isPending && !isUploading) sending.mutate(body)
  }
  useShortcuts([{ keys: 'mod+enter', label: words.sendKey, run: send }])
  const faults = faultsByField(sending.error)
  const fault = sending.isError
    ? body === ''
      ? words.emptyComment
      : (faults['body'] ?? refusalSentence(sending.error))
    : undefined
  return (
    <div className={classes.commentForm}>
      <RichTextField
        label={words.comment}
        value={body}
        onChange={(html) => {
          setBody(html)
          if (sending.isError) sending.reset()
        }}
        error={fault}
        files={TASK_FILES}
        onSubmit={send}
        onUploading={setIsUploading}
      />
      <div>
        <Button variant="default" loading={sending.isPending} disabled={isUploading} onClick={send}>
          {words.send}
        </Button>
      </div>
    </div>
  )
}
