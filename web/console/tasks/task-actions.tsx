import { Button, Group, Modal, SegmentedControl, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { commonWords } from '../../ui/common-words.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { lastBoardSearch } from './board-search.ts'
import { replaceTask, useBoardMoves } from './moves.ts'
import { readTask, taskQuery } from './queries.ts'
import { STATUSES, type Task } from './rules.ts'
import { taskPageWords } from './task-words.ts'
import { taskWords } from './words.ts'

const onError = (error: unknown) => showErrorToast(refusalSentence(error))

/** What is done to the whole task: its column, the archive, and the end of it. */
export const TaskActions = ({ task }: { task: Task }) => {
  const words = useWords(taskPageWords)
  const board = useWords(taskWords)
  const queries = useQueryClient()
  const { move, archive, restore } = useBoardMoves()
  const [isAsked, setIsAsked] = useState(false)
  const isArchived = task.archived_at !== null

  const moving = useMutation({
    mutationFn: (status: Task['status']) => move(task, { status, beforeId: null }),
    onSettled: () => queries.invalidateQueries({ queryKey: taskQuery(task.id).queryKey }),
  })
  const restoring = useMutation({
    mutationFn: (known: Task) => restore(known),
    onSuccess: ({ title }) => showToast(board.restored(title)),
    onError,
  })
  const archiving = useMutation({
    // Whoever has read it wants it away; that somebody wrote a word meanwhile keeps nobody from it.
    mutationFn: async () => archive(await readTask(task.id)),
    onSuccess: (archived) =>
      showToast(board.archived(archived.title), { label: board.undo, run: () => restoring.mutate(archived) }),
    onError,
  })

  return (
    <Group gap="sm" mt="sm">
      <SegmentedControl
        aria-label={words.fields.status}
        value={moving.isPending ? moving.variables : task.status}
        disabled={isArchived || moving.isPending}
        onChange={(status) => moving.mutate(status)}
        data={STATUSES.map((value) => ({ value, label: board.statuses[value] }))}
      />
      {isArchived ? (
        <Button variant="default" loading={restoring.isPending} onClick={() => restoring.mutate(task)}>
          {board.restore}
        </Button>
      ) : (
        <Button
          variant="default"
          loading={archiving.isPending}
          disabled={task.status !== 'done'}
          title={task.status === 'done' ? undefined : words.archiveHint}
          onClick={() => archiving.mutate()}
        >
          {board.archive}
        </Button>
      )}
      <Button variant="subtle" color="bad" onClick={() => setIsAsked(true)}>
        {words.remove}
      </Button>
      {isAsked && <RemoveDialog task={task} onClose={() => setIsAsked(false)} />}
    </Group>
  )
}

/** Says what goes with it before it goes. */
const RemoveDialog = ({ task, onClose }: { task: Task; onClose: () => void }) => {
  const words = useWords(taskPageWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const removal = useMutation({
    mutationFn: () => dataOrThrow(api.DELETE('/admin/tasks/{id}', { params: { path: { id: task.id } } })),
    onSuccess: async () => {
      onClose()
      showToast(words.removed(task.title))
      replaceTask(queries, task.id, null)
      void queries.invalidateQueries({ queryKey: ['tasks', 'archive'] })
      await navigate({ to: '/tasks', search: lastBoardSearch(), replace: true })
    },
    onError,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={<span dir="auto">{words.removeTitle(task.title)}</span>}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Text mb="lg">{words.removeMore}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.keep}
        </Button>
        <Button color="bad" loading={removal.isPending} onClick={() => removal.mutate()}>
          {words.removeNow}
        </Button>
      </Group>
    </Modal>
  )
}
