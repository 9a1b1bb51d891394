import { Button } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../ui/format.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { RowLink } from '../../ui/row-link.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import { useBoardMoves } from './moves.ts'
import type { Task } from './rules.ts'
import classes from './tasks.module.css'
import { taskWords } from './words.ts'

const keyOf = ({ id }: Task) => id

/** What has been taken off the board, the newest first; it stays readable and can come back. */
export const ArchiveList = ({ tasks, zone }: { tasks: readonly Task[]; zone: string }) => {
  const words = useWords(taskWords)
  const sorted = tasks.toSorted((a, b) => b.archived_at!.localeCompare(a.archived_at!))
  const renderRow = useCallback((task: Task) => <ArchivedRow task={task} zone={zone} />, [zone])
  return <VirtualList items={sorted} keyOf={keyOf} label={words.archivedList} estimate={61} renderRow={renderRow} />
}

const ArchivedRow = ({ task, zone }: { task: Task; zone: string }) => {
  const words = useWords(taskWords)
  const { date } = useFormat()
  const { restore } = useBoardMoves()
  const [isBusy, setIsBusy] = useState(false)
  const putBack = async () => {
    setIsBusy(true)
    try {
      await restore(task)
      showToast(words.restored(task.title))
    } catch (refusal) {
      showErrorToast(refusalSentence(refusal))
      setIsBusy(false)
    }
  }
  return (
    <div className={classes.archived}>
      <RowLink path={`/tasks/${encodeURIComponent(task.id)}`} className={classes.archivedLink}>
        <span className={classes.archivedTitle} dir="auto">
          {task.title}
        </span>
        <span className={classes.archivedFacts}>
          {[words.archivedOn(date(task.archived_at!, zone, 'day')), task.event?.title, task.assignee?.name]
            .filter(Boolean)
            .map((fact) => (
              <span key={fact} dir="auto">
                {fact}
              </span>
            ))}
        </span>
      </RowLink>
      <Button
        size="compact-md"
        variant="default"
        loading={isBusy}
        aria-label={words.restoreOne(task.title)}
        onClick={() => void putBack()}
      >
        {words.restore}
      </Button>
    </div>
  )
}
