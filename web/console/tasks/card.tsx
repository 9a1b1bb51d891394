import { type ReactNode, memo } from 'react'
import { useFormat } from '../../ui/format.ts'
import { RowLink } from '../../ui/row-link.tsx'
import { useWords } from '../../ui/words.ts'
import { type Task, dueStateOf, initialsOf } from './rules.ts'
import classes from './tasks.module.css'
import { Viewers } from './viewers.tsx'
import { taskWords } from './words.ts'

interface CardProps {
  task: Task
  today: string
  isPicked: boolean
  isMe: boolean
  onPick: (id: string) => void
  onMenu: (id: string) => void
}

/** Drawn anew only when something about its task has changed. */
export const Card = memo(({ task, today, isPicked, isMe, onPick, onMenu }: CardProps) => {
  const words = useWords(taskWords)
  const { id, title, event, assignee, attachments } = task
  return (
    <div className={classes.card} data-task={id} data-picked={isPicked || undefined}>
      <RowLink path={`/tasks/${encodeURIComponent(id)}`} className={classes.cardLink}>
        <span className={classes.cardTitle} dir="auto">
          {title}
        </span>
        <CardFacts>
          <DueTag task={task} today={today} />
          {event && (
            <span className={classes.eventTag} dir="auto">
              {event.title}
            </span>
          )}
          {attachments.length > 0 && <span>{words.files(attachments.length)}</span>}
          <Viewers taskId={id} />
          {assignee && (
            <span className={classes.person} data-me={isMe || undefined} title={assignee.name} dir="auto">
              <span aria-hidden="true">{initialsOf(assignee.name)}</span>
              <span className={classes.heard}>{assignee.name}</span>
            </span>
          )}
        </CardFacts>
      </RowLink>
      <div className={classes.cardTools}>
        <button type="button" className={classes.menuButton} aria-label={words.move(title)} onClick={() => onMenu(id)}>
          ↕
        </button>
        <label className={classes.pick}>
          <input type="checkbox" checked={isPicked} onChange={() => onPick(id)} aria-label={words.pick(title)} />
        </label>
      </div>
    </div>
  )
})
Card.displayName = 'Card'

const CardFacts = ({ children }: { children: ReactNode }) => <span className={classes.cardFacts}>{children}</span>

/** A day as it is written; what is late says so. */
export const DueTag = ({ task, today }: { task: Pick<Task, 'due_on' | 'status'>; today: string }) => {
  const words = useWords(taskWords)
  const { date } = useFormat()
  const state = dueStateOf(task, today)
  if (state === null) return null
  const isThisYear = task.due_on!.slice(0, 4) === today.slice(0, 4)
  const day = date(`${task.due_on}T12:00:00Z`, 'UTC', isThisYear ? 'day' : 'dayAndYear')
  return (
    <span className={classes.due} data-state={state}>
      {state === 'overdue' ? words.overdue(day) : state === 'today' ? words.dueToday : day}
    </span>
  )
}
