import { sql } from 'kysely'
import type { Rows } from '../../../access/scopes.ts'

export interface QuotaDifference {
  linkPublicId: string
  counted: number
  kept: number
}

/** Recomputes every link's count from the admissions it stands for. */
export const compareQuotas = async ({ accountId, db }: Rows): Promise<QuotaDifference[]> => {
  const { rows } = await sql<QuotaDifference>`
    select l.public_id as "linkPublicId", l.admission_count as kept, counted.admissions as counted
    from signup_links l, lateral (
      select count(*)::int as admissions from admissions m
      join (
        select r.order_id from signup_requests r
        where r.account_id = l.account_id and r.event_id = l.event_id and r.link_id = l.id and r.order_id is not null
        union all
        select a.order_id from signup_additions a
        join signup_requests r on r.account_id = a.account_id and r.event_id = a.event_id and r.id = a.request_id
        where r.account_id = l.account_id and r.event_id = l.event_id and r.link_id = l.id and a.order_id is not null
      ) issued on issued.order_id = m.order_id
      where m.account_id = l.account_id and m.event_id = l.event_id and m.status = 'active'
    ) counted
    where l.account_id = ${accountId} and counted.admissions <> l.admission_count`.execute(db)
  return rows
}
