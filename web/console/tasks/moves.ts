import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow, isRefusal } from '../../api/client.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { boardQuery, entriesQuery, readTask, taskQuery } from './queries.ts'
import { type Place, type Task, placeOf, placeTask, withTasks } from './rules.ts'
import { taskWords } from './words.ts'

type Words = typeof taskWords.en

const sendMove = (task: Task, { status, beforeId }: Place) =>
  dataOrThrow(
    api.PATCH('/admin/tasks/{task_id}/position', {
      params: { path: { task_id: task.id } },
      body: { position: { status, before_id: beforeId, lock_version: task.lock_version } },
    }),
  )

const boardTasks = (queries: QueryClient) => queries.getQueryData(boardQuery.queryKey)?.tasks ?? []

const changeBoard = (queries: QueryClient, change: (tasks: readonly Task[]) => Task[]) =>
  queries.setQueryData(boardQuery.queryKey, (board) => board && { ...board, tasks: change(board.tasks) })

/** A task as the server has just told it, where it stands. */
export const rememberTask = (queries: QueryClient, told: Task) => {
  queries.setQueryData(taskQuery(told.id).queryKey, told)
  changeBoard(queries, (tasks) => tasks.map((task) => (task.id === told.id ? told : task)))
  void queries.invalidateQueries({ queryKey: entriesQuery(told.id).queryKey })
}

/** The same for one that may have come, gone or changed its column. */
export const replaceTask = (queries: QueryClient, id: string, task: Task | null) => {
  changeBoard(queries, (tasks) => withTasks(tasks, new Map([[id, task]])))
  if (task) rememberTask(queries, task)
}

/** Shown as moved at once, and put back where it cannot be. */
const moveOnce = async (queries: QueryClient, task: Task, place: Place): Promise<Task> => {
  await queries.cancelQueries({ queryKey: boardQuery.queryKey })
  const before = placeOf(boardTasks(queries), task)
  changeBoard(queries, (tasks) => placeTask(tasks, task, place))
  try {
    const moved = await sendMove(task, place)
    rememberTask(queries, moved)
    return moved
  } catch (refusal) {
    changeBoard(queries, (tasks) => placeTask(tasks, task, before))
    throw refusal
  }
}

export interface BoardMoves {
  /** Resolves to the task as it is then, or to null where it stayed. */
  move: (task: Task, place: Place, options?: { isQuiet?: boolean }) => Promise<Task | null>
  archive: (task: Task) => Promise<Task>
  restore: (task: Task) => Promise<Task>
}

const openMoves = (queries: QueryClient, words: Words): BoardMoves => {
  const tellMoved = (moved: Task, from: Place) => {
    const undo = { label: words.undo, run: () => void move(moved, from, { isQuiet: true }) }
    showToast(words.movedTo(moved.title, words.statuses[moved.status]), undo)
  }

  /** Whoever only wrote in it meanwhile does not mind where it goes; whoever moved it is heard first. */
  const moveAfterOthers = async (task: Task, place: Place): Promise<Task | null> => {
    const fresh = await readTask(task.id)
    if (fresh.status === task.status && fresh.archived_at === null) return moveOnce(queries, fresh, place)
    replaceTask(queries, fresh.id, fresh)
    const anyway = { label: words.moveAnyway, run: () => void move(fresh, place) }
    showToast(words.movedMeanwhile(fresh.title, words.statuses[fresh.status]), anyway)
    return null
  }

  const move: BoardMoves['move'] = async (task, place, { isQuiet = false } = {}) => {
    const from = placeOf(boardTasks(queries), task)
    if (from.status === place.status && (from.beforeId === place.beforeId || place.beforeId === task.id)) return task
    try {
      const moved = await moveOnce(queries, task, place).catch((refusal: unknown) => {
        if (isRefusal(refusal, 'conflict')) return moveAfterOthers(task, place)
        throw refusal
      })
      if (moved && !isQuiet && from.status !== moved.status) tellMoved(moved, from)
      return moved
    } catch (refusal) {
      if (isQuiet) throw refusal
      showErrorToast(refusalSentence(refusal))
      void queries.invalidateQueries({ queryKey: boardQuery.queryKey })
      return null
    }
  }

  const settle = async (task: Task, asked: Promise<Task>) => {
    const told = await asked
    replaceTask(queries, task.id, told)
    await queries.invalidateQueries({ queryKey: ['tasks', 'archive'] })
    return told
  }
  const params = ({ id }: Task) => ({ path: { task_id: id } })

  return {
    move,
    archive: (task) =>
      settle(
        task,
        dataOrThrow(
          api.POST('/admin/tasks/{task_id}/archive', {
            params: params(task),
            body: { lock_version: task.lock_version },
          }),
        ),
      ),
    restore: (task) =>
      settle(task, dataOrThrow(api.DELETE('/admin/tasks/{task_id}/archive', { params: params(task), body: {} }))),
  }
}

/** What can be done to tasks from the board and from their pages, shown before the server has said so. */
export const useBoardMoves = (): BoardMoves => {
  const queries = useQueryClient()
  const words = useWords(taskWords)
  return useMemo(() => openMoves(queries, words), [queries, words])
}
