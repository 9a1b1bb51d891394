import type { CallerScope } from '../access/scopes.ts'
import { Invalid, requireFound } from '../kernel/refusals.ts'
import { INVALID_MESSAGE } from '../kernel/messages.ts'
import { type TaskFilters, type Task, findEvent, findTasks } from './records.ts'

interface BoardFilters {
  event_slug: string
  assignee_id: string
  archived: boolean
  hide_done: boolean
}

/** The board as it was asked for. An event that cannot be is not found; any other filter that cannot be is refused. */
export const findBoard = async (account: CallerScope, input: BoardFilters): Promise<Task[]> => {
  const { event_slug: slug } = input
  if (slug === '' || slug === 'none') {
    return findTasks(account, { ...filtersOf(account, input), ...(slug === 'none' && { event: slug }) })
  }
  return account.replicaRead(async (rows) => {
    const scope = account.within(rows)
    const { id: event } = requireFound(await findEvent(scope, slug))
    return findTasks(scope, { ...filtersOf(account, input), event })
  })
}

const filtersOf = (
  account: CallerScope,
  { assignee_id: text, archived, hide_done: hideDone }: BoardFilters,
): TaskFilters => {
  const assignee = assigneeOf(account, text)
  return { archived, hideDone, ...(assignee !== null && { assignee }) }
}

const assigneeOf = (account: CallerScope, text: string) => {
  if (text === '') return null
  if (text === 'none') return 'none'
  if (text === 'me') return account.actor.membershipId
  if (!/^\d{1,15}$/.test(text)) throw new Invalid({ assignee_id: [INVALID_MESSAGE] })
  return Number(text)
}
