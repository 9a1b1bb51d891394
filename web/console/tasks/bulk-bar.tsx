import { Button } from '@mantine/core'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { useBoardMoves } from './moves.ts'
import { STATUSES, type Status, type Task } from './rules.ts'
import classes from './tasks.module.css'
import { taskWords } from './words.ts'

interface BulkBarProps {
  tasks: readonly Task[]
  picked: ReadonlySet<string>
  onPicked: Dispatch<SetStateAction<ReadonlySet<string>>>
}

/** What can be done with all that are picked, in the order of the board. Whatever could not be done stays picked. */
export const BulkBar = ({ tasks, picked, onPicked }: BulkBarProps) => {
  const words = useWords(taskWords)
  const common = useWords(commonWords)
  const { move, archive, restore } = useBoardMoves()
  const [isBusy, setIsBusy] = useState(false)
  const chosen = tasks.filter(({ id }) => picked.has(id))

  const forEach = async (list: readonly Task[], run: (task: Task) => Promise<Task | null>) => {
    setIsBusy(true)
    const done: Task[] = []
    const failed: Task[] = []
    let why: unknown = null
    for (const task of list) {
      const [result] = await Promise.allSettled([run(task)])
      if (result.status === 'fulfilled' && result.value) done.push(result.value)
      else {
        failed.push(task)
        if (result.status === 'rejected') why ??= result.reason
      }
    }
    setIsBusy(false)
    if (failed.length > 0) showErrorToast(words.bulk.notDone(failed.length, why === null ? '' : refusalSentence(why)))
    // Others may have been picked meanwhile.
    const left = new Set(failed.map(({ id }) => id))
    onPicked((now) => now.difference(picked.difference(left)))
    return done
  }

  const moveAll = async (status: Status) => {
    const list = chosen.filter((task) => task.status !== status)
    const done = await forEach(list, (task) => move(task, { status, beforeId: null }, { isQuiet: true }))
    if (done.length > 0) showToast(words.bulk.moved(done.length, words.statuses[status]))
  }
  const archiveAll = async () => {
    const done = await forEach(
      chosen.filter(({ status }) => status === 'done'),
      archive,
    )
    if (done.length === 0) return
    const undo = async () => {
      for (const task of done) await restore(task).catch((refusal: unknown) => showErrorToast(refusalSentence(refusal)))
    }
    showToast(words.bulk.archived(done.length), { label: words.undo, run: () => void undo() })
  }

  return (
    <div className={classes.bulkBar} role="region" aria-label={common.picked(chosen.length)}>
      <span role="status">{common.picked(chosen.length)}</span>
      {STATUSES.map((status) => (
        <Button
          key={status}
          size="compact-md"
          variant="default"
          disabled={isBusy || chosen.every((task) => task.status === status)}
          onClick={() => void moveAll(status)}
        >
          {words.bulk.moveTo(words.statuses[status])}
        </Button>
      ))}
      <Button
        size="compact-md"
        variant="default"
        disabled={isBusy || !chosen.some(({ status }) => status === 'done')}
        onClick={() => void archiveAll()}
      >
        {words.bulk.archive}
      </Button>
      <Button size="compact-md" variant="subtle" color="gray" onClick={() => onPicked(new Set())}>
        {common.clear}
      </Button>
    </div>
  )
}
