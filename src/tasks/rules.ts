export const STATUSES = ['open', 'in_progress', 'done'] as const
export type Status = (typeof STATUSES)[number]

export const TITLE_MAX = 200
export const DESCRIPTION_MAX = 20_000
export const COMMENT_MAX = 10_000

/** Markup may be longer than its text; the largest body is longer still. */
export const MARKUP_MAX = 1_000_000

/** Each is shown with all that its file is called by. */
export const ATTACHMENTS_MAX = 100

export const STALE_TASK_MESSAGE = 'This task was changed by someone else; reload and try again'
export const RESTORE_FIRST_MESSAGE = 'Restore this task before moving it'
export const NOT_DONE_MESSAGE = 'Only done tasks can be archived'

/** Without a version nothing is compared: the last write wins. */
export const isStaleVersion = (task: { lockVersion: number }, given: number | null | undefined) =>
  given !== null && given !== undefined && given !== task.lockVersion

/** Where a task lands: directly before another one, or last in the column. */
export const positionAfterMove = (
  task: { status: Status; position: number },
  to: { status: Status; before: { position: number } | null; columnSize: number },
): number => {
  const leavesRoom = task.status === to.status
  if (!to.before) return leavesRoom ? to.columnSize : to.columnSize + 1
  return leavesRoom && task.position < to.before.position ? to.before.position - 1 : to.before.position
}
