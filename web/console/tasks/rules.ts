import type { Schemas } from '../../api/client.ts'
import { fold } from '../../ui/fold.ts'
import { type Status, STATUSES } from '../../../src/tasks/rules.ts'
import type { DueFilter } from './board-search.ts'

export { type Status, STATUSES, TITLE_MAX } from '../../../src/tasks/rules.ts'

export type Task = Schemas['Task']
export type TaskEntry = Schemas['TaskEntry']
export type Columns = Readonly<Record<Status, readonly Task[]>>

/** The order of the list is the order of each column; the numbers in it are the server's business. */
export const columnsOf = (tasks: readonly Task[]): Columns => {
  const columns: Record<Status, Task[]> = { open: [], in_progress: [], done: [] }
  for (const task of tasks) columns[task.status].push(task)
  return columns
}

/** Where a task is to go: directly before another one of the column, or last. */
export interface Place {
  status: Status
  beforeId: string | null
}

/** The board with a task taken out and put where it is to go. */
export const placeTask = (tasks: readonly Task[], task: Task, { status, beforeId }: Place): Task[] => {
  const others = tasks.filter(({ id }) => id !== task.id)
  const at = beforeId === null ? -1 : others.findIndex(({ id }) => id === beforeId)
  return others.toSpliced(at < 0 ? others.length : at, 0, { ...task, status })
}

/** The board with tasks as they were read just now; null stands for one that is not on it any more. */
export const withTasks = (tasks: readonly Task[], read: ReadonlyMap<string, Task | null>): Task[] => {
  const columns = columnsOf(tasks.filter(({ id }) => !read.has(id)))
  const arrived = Array.from(read.values()).filter((task) => task !== null && task.archived_at === null)
  const next = Object.fromEntries(STATUSES.map((status) => [status, [...columns[status]]])) as Record<Status, Task[]>
  for (const task of arrived.toSorted((a, b) => a!.position - b!.position)) {
    next[task!.status].splice(task!.position - 1, 0, task!)
  }
  return STATUSES.flatMap((status) => next[status])
}

/** Where a task stands now, so that it can be put back. */
export const placeOf = (tasks: readonly Task[], task: Task): Place => {
  const column = tasks.filter(({ status }) => status === task.status)
  const at = column.findIndex(({ id }) => id === task.id)
  return { status: task.status, beforeId: column[at + 1]?.id ?? null }
}

/**
 * Where a task lands that is dropped among the shown ones of a column: before the next that is shown, else right behind
 * the last that is shown, however many hidden ones follow.
 */
export const placeAmongShown = (
  column: readonly Task[],
  shown: readonly Task[],
  task: Task,
  target: { status: Status; index: number },
): Place => {
  const rest = shown.filter(({ id }) => id !== task.id)
  const index =
    target.index - (shown.findIndex(({ id }) => id === task.id) < target.index && rest.length < shown.length ? 1 : 0)
  const next = rest[index]
  if (next) return { status: target.status, beforeId: next.id }
  const last = rest[index - 1]
  if (!last) return { status: target.status, beforeId: null }
  const others = column.filter(({ id }) => id !== task.id)
  const behind = others[others.findIndex(({ id }) => id === last.id) + 1]
  return { status: target.status, beforeId: behind?.id ?? null }
}

export interface TaskFilters {
  text?: string | undefined
  /** A membership, `me` or `none`. */
  assignee?: string | undefined
  /** A slug or `none`. */
  event?: string | undefined
  due?: DueFilter | undefined
}

const WEEK_DAYS = 7

/** A day some days later, as 2026-12-31. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

export type DueState = 'overdue' | 'today' | 'later' | 'over'

/** What is done is not late any more. */
export const dueStateOf = (task: Pick<Task, 'due_on' | 'status'>, today: string): DueState | null => {
  if (task.due_on === null) return null
  if (task.status === 'done') return 'over'
  if (task.due_on < today) return 'overdue'
  return task.due_on === today ? 'today' : 'later'
}

const isDueAs = (task: Task, due: DueFilter, today: string): boolean => {
  if (due === 'none') return task.due_on === null
  const state = dueStateOf(task, today)
  if (due === 'week') return state !== null && state !== 'over' && task.due_on! <= addDays(today, WEEK_DAYS)
  return state === due
}

/** Texts are compared without case and accents; each is put together once. */
const searched = new WeakMap<Task, string>()
const textOf = (task: Task): string => {
  const known = searched.get(task)
  if (known !== undefined) return known
  const { title, description, event, assignee } = task
  const text = fold([title, description, event?.title, assignee?.name].filter(Boolean).join('\n'))
  searched.set(task, text)
  return text
}

export const filterTasks = (
  tasks: readonly Task[],
  { text = '', assignee, event, due }: TaskFilters,
  { me, today }: { me: number; today: string },
): readonly Task[] => {
  const wanted = fold(text).split(/\s+/).filter(Boolean)
  if (wanted.length === 0 && !assignee && !event && !due) return tasks
  const person = assignee === 'me' ? me : Number(assignee)
  return tasks.filter((task) => {
    if (assignee === 'none' ? task.assignee !== null : assignee && task.assignee?.id !== person) return false
    if (event === 'none' ? task.event !== null : event && task.event?.slug !== event) return false
    if (due && !isDueAs(task, due, today)) return false
    if (wanted.length === 0) return true
    const found = textOf(task)
    return wanted.every((word) => found.includes(word))
  })
}

/** Two letters that stand for a person on a card. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => Array.from(word)[0]!.toLocaleUpperCase())
    .filter((_, n, all) => n === 0 || n === all.length - 1)
    .join('')
