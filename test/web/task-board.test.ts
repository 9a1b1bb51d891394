import { expect, test } from 'vitest'
import {
  type Status,
  type Task,
  columnsOf,
  dueStateOf,
  filterTasks,
  initialsOf,
  placeAmongShown,
  placeOf,
  placeTask,
  withTasks,
} from '../../web/console/tasks/rules.ts'

const taskOf = (id: string, status: Status = 'open', more: Partial<Task> = {}): Task => ({
  id,
  title: id,
  description: '',
  description_html: '',
  attachments: [],
  archived_at: null,
  status,
  position: 1,
  lock_version: 0,
  due_on: null,
  event: null,
  assignee: null,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
  ...more,
})

const board = ['a', 'b', 'c', 'd'].map((id) => taskOf(id))
const idsIn = (tasks: readonly Task[], status: Status) => columnsOf(tasks)[status].map(({ id }) => id)
const [a, b, , d] = board as [Task, Task, Task, Task]

test('a task is put before another one, or last, and can be put back', () => {
  const moved = placeTask(board, d, { status: 'open', beforeId: 'b' })
  expect(idsIn(moved, 'open')).toEqual(['a', 'd', 'b', 'c'])
  expect(idsIn(placeTask(moved, a, { status: 'done', beforeId: null }), 'done')).toEqual(['a'])
  expect(idsIn(placeTask(moved, d, placeOf(board, d)), 'open')).toEqual(['a', 'b', 'c', 'd'])
})

test('a drop among the shown ones is a place among all: before the next shown, else behind the last shown', () => {
  const drop = (shown: readonly Task[], task: Task, index: number) =>
    placeAmongShown(board, shown, task, { status: 'open', index }).beforeId
  expect(drop(board, a, 2)).toBe('c')
  expect(drop(board, d, 1)).toBe('b')
  expect(drop(board, a, 4)).toBeNull()
  // Only b and d are shown: behind b is before c, which is hidden.
  expect(drop([a, b], d, 2)).toBe('c')
  expect(drop([b, d], a, 1)).toBe('d')
  expect(drop([], taskOf('x', 'done'), 0)).toBeNull()
})

test('tasks that changed together are put where their numbers say', () => {
  const read = new Map<string, Task | null>([
    ['d', taskOf('d', 'open', { position: 1 })],
    ['a', taskOf('a', 'open', { position: 3 })],
    ['b', null],
    ['new', taskOf('new', 'done', { position: 1 })],
    ['c', taskOf('c', 'open', { position: 2 })],
  ])
  const next = withTasks(board, read)
  expect(idsIn(next, 'open')).toEqual(['d', 'c', 'a'])
  expect(idsIn(next, 'done')).toEqual(['new'])
  const archived = new Map([['a', taskOf('a', 'done', { archived_at: '2030-01-01T00:00:00.000Z' })]])
  expect(idsIn(withTasks(board, archived), 'done')).toEqual([])
})

test('filters are all meant together; what is done is never late', () => {
  const tasks = [
    taskOf('late', 'open', { due_on: '2030-01-01', assignee: { id: 7, name: 'Mara' } }),
    taskOf('soon', 'open', { due_on: '2030-01-12', event: { slug: 'ball', title: 'Łódź Ball' } }),
    taskOf('done', 'done', { due_on: '2030-01-01' }),
    taskOf('never'),
  ]
  const found = (filters: Parameters<typeof filterTasks>[1]) =>
    filterTasks(tasks, filters, { me: 7, today: '2030-01-10' }).map(({ id }) => id)
  expect(found({})).toEqual(['late', 'soon', 'done', 'never'])
  expect(found({ assignee: 'me' })).toEqual(['late'])
  expect(found({ assignee: 'none' })).toEqual(['soon', 'done', 'never'])
  expect(found({ due: 'overdue' })).toEqual(['late'])
  expect(found({ due: 'week' })).toEqual(['late', 'soon'])
  expect(found({ due: 'none' })).toEqual(['never'])
  expect(found({ text: 'lodz BALL' })).toEqual(['soon'])
  expect(found({ event: 'ball', due: 'overdue' })).toEqual([])
  expect(dueStateOf(tasks[2]!, '2030-01-10')).toBe('over')
})

test('two letters stand for a person, one for somebody of one name', () => {
  expect(['Mara Manager', 'Bo', 'Anna Maria von Ö', ''].map(initialsOf)).toEqual(['MM', 'B', 'AÖ', ''])
})
