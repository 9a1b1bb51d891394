import { Button, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isRefusal } from '../../api/client.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './inbox.module.css'
import { type PushState, readPushState, turnPushOff, turnPushOn } from './push.ts'
import { inboxWords } from './words.ts'

/** Whether this browser shows notifications by itself; nobody is asked before they ask for it. */
export const PushSwitch = () => {
  const { push: words } = useWords(inboxWords)
  const { membership_id: me } = useSession()
  const queries = useQueryClient()
  const queryKey = ['push state', me]
  const { data: state } = useQuery({ queryKey, queryFn: () => readPushState(me) })
  const change = useMutation({
    mutationFn: (turn: (me: number) => Promise<PushState>) => turn(me),
    onSuccess: (next, turn) => {
      queries.setQueryData(queryKey, next)
      if (next === 'on') showToast(words.turnedOn)
      else if (turn === turnPushOff) showToast(words.turnedOff)
    },
    onError: (error) => showErrorToast(isRefusal(error) ? refusalSentence(error) : words.failed),
  })
  if (state === undefined) return null
  return (
    <section className={classes.push} aria-label={words.title}>
      <Title order={2} size="md">
        {words.title}
      </Title>
      <Text size="sm" c="dimmed">
        {words[state]}
      </Text>
      {state === 'off' && (
        <Button size="compact-md" loading={change.isPending} onClick={() => change.mutate(turnPushOn)}>
          {words.turnOn}
        </Button>
      )}
      {state === 'on' && (
        <Button
          size="compact-md"
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate(turnPushOff)}
        >
          {words.turnOff}
        </Button>
      )}
    </section>
  )
}
