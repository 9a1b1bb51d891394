import type { CallerScope } from '../access/scopes.ts'
import { found } from '../kernel/refusals.ts'
import { type Filters, type Task, findEvent, findTasks } from './records.ts'

interface Wish {
  event_slug: string
  assignee_id: string
  archived: boolean
  hide_done: boolean
}

/** The board as it was asked for. An assignee that cannot be has no tasks; an event that cannot be is not found. */
export const findBoard = async (account: CallerScope, wish: Wish): Promise<Task[]> => {
  const filters: Filters = { archived: wish.archived, hideDone: wish.hide_done }
  const assignee = assigneeOf(account, wish.assignee_id)
  if (assignee !== null) filters.assignee = assignee

  const slug = wish.event_slug
  if (slug === '' || slug === 'none') return findTasks(account, slug === '' ? filters : { ...filters, event: slug })
  return account.consistentRead(async (rows) => {
    const scope = account.within(rows)
    return findTasks(scope, { ...filters, event: found(await findEvent(scope, slug)).id })
  })
}

/** Nobody's ID. */
const NOBODY = 0

const assigneeOf = (account: CallerScope, text: string) => {
  if (text === '') return null
  if (text === 'none') return 'none'
  if (text === 'me') return account.actor.membershipId
  return /^\d{1,15}$/.test(text) ? Number(text) : NOBODY
}
