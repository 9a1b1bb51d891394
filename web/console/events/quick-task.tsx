import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useDraft } from '../../ui/draft.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './events.module.css'
import { eventWords } from './words.ts'

/** A thought that must not get lost goes to the task board, from wherever one is. */
export const QuickTask = ({ slug }: { slug: string }) => {
  const words = useWords(eventWords)
  const [title, setTitle, drop] = useDraft(`task of ${slug}`)
  const creation = useMutation({
    mutationFn: (sent: string) =>
      dataOrThrow(api.POST('/admin/tasks', { body: { task: { title: sent, event_slug: slug } } })),
    onSuccess: (_task, sent) => {
      drop(sent)
      showToast(words.taskNoted)
    },
  })
  const fault = creation.isError ? (faultsByField(creation.error)['title'] ?? refusalSentence(creation.error)) : null

  return (
    <form
      className={classes.quickTask}
      onSubmit={(event) => {
        event.preventDefault()
        // What is already on its way is not sent twice.
        if (!creation.isPending) creation.mutate(title)
      }}
    >
      <TextInput
        className={classes.quickTaskField}
        label={words.noteTask}
        placeholder={words.noteTaskHint}
        value={title}
        onChange={(event) => {
          setTitle(event.currentTarget.value)
          if (creation.isError) creation.reset()
        }}
        error={fault}
        required
        withAsterisk={false}
        autoComplete="off"
      />
      <Button type="submit" variant="default" loading={creation.isPending}>
        {words.note}
      </Button>
    </form>
  )
}
