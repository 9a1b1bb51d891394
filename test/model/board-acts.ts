import { COLUMNS, type Column, type Model, type Task } from './model.ts'
import { type Doing, byStatus, pick } from './outcome.ts'

const CREW = ['office', 'mara'] as const

/** Now and then a version that is over, or none. */
const versionFor = (task: Task, c: number) => (c % 4 === 0 ? null : c % 4 === 1 ? task.version - 1 : task.version)
const isStale = (task: Task, version: number | null) => version !== null && version !== task.version

const leave = ({ columns }: Model, task: Task) => {
  columns[task.status] = columns[task.status].filter((id) => id !== task.id)
}

const createTask: Doing = async ({ actors, model }, { actor, a, b }) => {
  const status = pick(COLUMNS, b)!
  const title = `Task ${a}`
  const reply = await actors[pick(CREW, actor)!]!.post('/admin/tasks', { task: { title, status } })
  return byStatus(reply, 201, ({ id, lock_version: version }) => {
    model.tasks.set(id, { id, title, status, version, isArchived: false })
    model.columns[status].push(id)
  })
}

const editTask: Doing = async ({ actors, model }, { actor, a, b, c }) => {
  const task = pick([...model.tasks.values()], a)
  if (!task) return null
  const version = versionFor(task, c)
  const title = `Task ${b % 5}`
  const status = b % 3 === 0 ? pick(COLUMNS, b + c)! : task.status
  const reply = await actors[pick(CREW, actor)!]!.patch(`/admin/tasks/${task.id}`, {
    task: { title, status, lock_version: version },
  })
  const isMoving = status !== task.status
  const foretold = isStale(task, version) ? 409 : isMoving && task.isArchived ? 422 : 200
  return byStatus(reply, foretold, () => {
    if (isMoving) {
      leave(model, task)
      model.columns[status].push(task.id)
    }
    // New words and a move are two changes.
    task.version += Number(isMoving) + Number(title !== task.title)
    Object.assign(task, { title, status })
  })
}

const moveTask: Doing = async ({ actors, model }, { actor, a, b, c }) => {
  const task = pick([...model.tasks.values()], a)
  if (!task) return null
  const status: Column = pick(COLUMNS, b)!
  const version = versionFor(task, c)
  const before = c % 3 === 0 ? null : (pick(model.columns[status], b + c) ?? null)
  const reply = await actors[pick(CREW, actor)!]!.patch(`/admin/tasks/${task.id}/position`, {
    position: { status, before_id: before, lock_version: version },
  })
  const foretold = isStale(task, version) ? 409 : task.isArchived || before === task.id ? 422 : 200
  return byStatus(reply, foretold, () => {
    const was = `${task.status} ${model.columns[task.status].indexOf(task.id)}`
    leave(model, task)
    const column = model.columns[status]
    column.splice(before === null ? column.length : column.indexOf(before), 0, task.id)
    task.status = status
    if (was !== `${status} ${column.indexOf(task.id)}`) task.version++
  })
}

const archive: Doing = async ({ actors, model }, { a, b }) => {
  const task = pick([...model.tasks.values()], a)
  if (!task) return null
  const path = `/admin/tasks/${task.id}/archive`
  if (b % 2) {
    return byStatus(await actors['mara']!.delete(path), 200, () => {
      if (!task.isArchived) return
      Object.assign(task, { isArchived: false, version: task.version + 1 })
      model.columns.done.push(task.id)
    })
  }
  return byStatus(await actors['mara']!.post(path, {}), task.status === 'done' ? 200 : 422, () => {
    if (task.isArchived) return
    leave(model, task)
    Object.assign(task, { isArchived: true, version: task.version + 1 })
  })
}

const removeTask: Doing = async ({ actors, model }, { a }) => {
  const task = pick([...model.tasks.values()], a)
  if (!task) return null
  return byStatus(await actors['office']!.delete(`/admin/tasks/${task.id}`), 204, () => {
    leave(model, task)
    model.tasks.delete(task.id)
  })
}

export const boardActs = { createTask, editTask, moveTask, archive, removeTask }
