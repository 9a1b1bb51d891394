import type { ExportContext } from '../../loading/section.ts'
import { parseRichText, renderForStorage } from '../../rich-text/attachments.ts'
import { type PlaceOnBoard, findPlacesOnBoard, findTasksToExport } from './records.ts'

/** A task may bring long comments along. */
const TASKS_AT_ONCE = 50

/** The board with its comments. What happened to a task, and files in texts, stay behind. */
export async function* exportTasks({ rows }: ExportContext) {
  const ids = taskIdsInFileOrder(await findPlacesOnBoard(rows))
  for (let start = 0; start < ids.length; start += TASKS_AT_ONCE) {
    for (const task of await findTasksToExport(rows, ids.slice(start, start + TASKS_AT_ONCE))) {
      yield {
        title: task.title,
        description: asWritten(task.descriptionHtml) || null,
        status: task.status,
        due_on: task.dueOn,
        event: task.event,
        assignee: task.assignee,
        archived: task.isArchived,
        created_at: task.createdAt,
        creator: task.creator,
        comments: task.comments.map(({ author, bodyHtml, createdAt }) => ({
          author,
          body: asWritten(bodyHtml),
          created_at: new Date(createdAt),
        })),
      }
    }
  }
}

/** As they were made, except that the tasks of each column follow each other as they stand in it. */
export const taskIdsInFileOrder = (places: readonly PlaceOnBoard[]): number[] => {
  const columnOf = ({ status, isArchived }: PlaceOnBoard) => `${status} ${isArchived}`
  const columns = Map.groupBy(
    places.toSorted((a, b) => a.position - b.position || a.id - b.id),
    columnOf,
  )
  const next = new Map(Array.from(columns, ([column, tasks]) => [column, tasks.values()]))
  return places.map((place) => next.get(columnOf(place))!.next().value!.id)
}

/**
 * The text without its files: plain where that says as much as its HTML. HTML without a tag in it is read as plain text,
 * where a line break is one; here it means no more than a gap.
 */
const asWritten = (kept: string): string => {
  const left = kept.includes('<') ? withoutFiles(kept).html : kept
  const { html, text } = withoutFiles(left.includes('<') ? left : left.replace(/\s*\n\s*/g, ' ').trim())
  return withoutFiles(text).html === html ? text : html
}

const withoutFiles = (text: string) => renderForStorage(parseRichText(text), () => null)
