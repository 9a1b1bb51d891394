import { type Status, STATUSES } from '../../../src/tasks/rules.ts'

export const DUE_FILTERS = ['overdue', 'today', 'week', 'none'] as const
export type DueFilter = (typeof DUE_FILTERS)[number]

/** What is looked for on the board; what is usual is left out. */
export interface BoardSearch {
  view?: 'archive'
  text?: string
  assignee?: string
  event?: string
  due?: DueFilter
  /** The column in which a new task is being written. */
  add?: Status
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, 200) : typeof value === 'number' ? String(value) : ''

export const validateBoardSearch = (given: Record<string, unknown>): BoardSearch => {
  const [text, assignee, event] = [textOf(given['text']), textOf(given['assignee']), textOf(given['event'])]
  const add = STATUSES.find((each) => each === given['add'])
  const due = DUE_FILTERS.find((each) => each === given['due'])
  return {
    ...(given['view'] === 'archive' && { view: 'archive' }),
    ...(text !== '' && { text }),
    ...(/^(me|none|\d{1,15})$/.test(assignee) && { assignee }),
    ...(event !== '' && { event }),
    ...(due && { due }),
    ...(add && { add }),
  }
}

let last: BoardSearch = {}

/** Whoever opens a task comes back to the board as it was. */
export const rememberBoardSearch = ({ add: _not, ...search }: BoardSearch) => {
  last = search
}

export const lastBoardSearch = (): BoardSearch => last
