import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { BatchAfterId } from '../../loading/batches.ts'
import type { Language } from '../../languages/rules.ts'
import type { AnswerWithQuestion } from '../requests/rules.ts'

interface ExportedAddition {
  companions: number
  companionNames: string[]
  isDecided: boolean
  /** The order code of the party it led to. */
  party: string | null
  createdAt: string
}

export interface ExportedRequest {
  id: number
  linkId: number
  name: string
  email: string
  company: string | null
  phone: string | null
  companions: number
  companionNames: string[]
  answers: AnswerWithQuestion[]
  language: Language | null
  isReviewed: boolean
  party: string | null
  createdAt: Date
  /** In the order they were added. */
  additions: ExportedAddition[]
}

export const findRequestsToExport = async (
  { accountId, db }: Rows,
  eventId: number,
  { afterId, limit }: BatchAfterId,
): Promise<ExportedRequest[]> => {
  const { rows } = await sql<ExportedRequest>`
    select r.id, r.link_id as "linkId", r.name, r.email, r.company, r.phone, r.companions,
      r.companion_names as "companionNames", r.answers, r.language, r.reviewed_at is not null as "isReviewed",
      o.order_code as party, r.created_at as "createdAt",
      (
        select coalesce(json_agg(json_build_object('companions', a.companions, 'companionNames', a.companion_names,
          'isDecided', a.decided_at is not null, 'party', p.order_code, 'createdAt', a.created_at) order by a.id), '[]')
        from signup_additions a left join orders p on p.account_id = a.account_id and p.id = a.order_id
        where a.account_id = r.account_id and a.event_id = r.event_id and a.request_id = r.id
      ) as additions
    from signup_requests r left join orders o on o.account_id = r.account_id and o.id = r.order_id
    where r.account_id = ${accountId} and r.event_id = ${eventId} and r.id > ${afterId}
    order by r.id limit ${limit}`.execute(db)
  return rows
}
