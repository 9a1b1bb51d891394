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
  if (wish.event_slug === 'none') filters.event = 'none'
  else if (wish.event_slug !== '') filters.event = found(await findEvent(account, wish.event_slug)).id

  const assignee = assigneeOf(account, wish.assignee_id)
  if (assignee === 'nobody') return []
  if (assignee !== null) filters.assignee = assignee
  return findTasks(account, filters)
}

const assigneeOf = (account: CallerScope, text: string) => {
  if (text === '') return null
  if (text === 'none') return 'none'
  if (text === 'me') return account.actor.membershipId
  return /^\d{1,15}$/.test(text) ? Number(text) : 'nobody'
}
