import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { Status } from '../rules.ts'

export interface PlaceOnBoard {
  id: number
  status: Status
  isArchived: boolean
  position: number
}

export const findPlacesOnBoard = async ({ accountId, db }: Rows): Promise<PlaceOnBoard[]> => {
  const { rows } = await sql<PlaceOnBoard>`
    select id, status, archived_at is not null as "isArchived", position
    from tasks where account_id = ${accountId} order by id`.execute(db)
  return rows
}

export interface ExportedTask {
  id: number
  title: string
  descriptionHtml: string
  status: Status
  dueOn: string | null
  event: string | null
  /** Addresses of members. */
  assignee: string | null
  creator: string | null
  isArchived: boolean
  createdAt: Date
  comments: { author: string | null; bodyHtml: string; createdAt: string }[]
}

export const findTasksToExport = async ({ accountId, db }: Rows, ids: readonly number[]): Promise<ExportedTask[]> => {
  const { rows } = await sql<ExportedTask>`
    select t.id, t.title, t.description_html as "descriptionHtml", t.status, t.due_on as "dueOn", e.slug as event,
      assignee.email as assignee, creator.email as creator, t.archived_at is not null as "isArchived",
      t.created_at as "createdAt",
      (
        select coalesce(json_agg(json_build_object('author', author.email, 'bodyHtml', coalesce(n.body_html, ''),
          'createdAt', n.created_at) order by n.created_at, n.id), '[]')
        from task_entries n
        left join memberships w on w.account_id = n.account_id and w.person_id = n.author_id
        left join people author on author.id = w.person_id
        where n.account_id = t.account_id and n.task_id = t.id and n.kind = 'comment'
      ) as comments
    from tasks t
    left join events e on e.account_id = t.account_id and e.id = t.event_id
    left join memberships m on m.account_id = t.account_id and m.id = t.assignee_id
    left join people assignee on assignee.id = m.person_id
    left join memberships c on c.account_id = t.account_id and c.person_id = t.creator_id
    left join people creator on creator.id = c.person_id
    where t.account_id = ${accountId} and t.id = any (${ids}::bigint[])
    order by array_position(${ids}::bigint[], t.id)`.execute(db)
  return rows
}
