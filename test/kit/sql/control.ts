/** A source file with one fault of each kind, and what is to be said about each line that has one. */
export const CONTROL = `
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'

const title = (isOld: boolean) => (isOld ? sql\`e.heading as title\` : sql\`e.title\`)

export const control = async (db: Kysely<unknown>, pool: pg.Pool, client: pg.Client, isOld: boolean) => {
  await sql<{ id: number; venueName: string | null; status: string; count: number; startsAt: Date }>\`
    select e.id, v.name as "venueName", a.status, count(*), e.starts_at as "startsAt"
    from events e left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    join admissions a on a.account_id = e.account_id and a.event_id = e.id
    group by e.account_id, e.id, v.name, a.status\`.execute(db)
  await sql<{ title: string }>\`select heading as title from events\`.execute(db) // column "heading" does not exist
  await sql\`update events set heading = 'x' where account_id = \${1}\`.execute(db) // column "heading" of relation "events" does not exist
  await sql<{ title: string }>\`select \${title(isOld)} from events e\`.execute(db) // column e.heading does not exist
  await sql<{ id: number; title: string }>\`select id from events\`.execute(db) // column "title" is declared by { id: number; title: string; }, but PostgreSQL answers without it.
  await sql<{ id: number }>\`select id, title from events\`.execute(db) // column "title" is answered by PostgreSQL, but not declared by { id: number; }.
  await sql<{ id: string }>\`select id from events\`.execute(db) // column "id" is declared as string, but PostgreSQL answers with bigint.
  await sql<{ at: string }>\`select starts_at as at from events\`.execute(db) // column "at" is declared as string, but PostgreSQL answers with timestamp with time zone.
  await sql<{ ids: string[] }>\`select array(select id from events) as ids\`.execute(db) // column "ids" is declared as string[], but PostgreSQL answers with bigint[].
  await sql<{ it: { at: Date } }>\`select json_build_object('at', starts_at) as it from events\`.execute(db) // column "it" is declared as { at: Date; }, but PostgreSQL answers with json.
  await sql<{ status: 'active' }>\`select status from admissions\`.execute(db) // column "status" is declared as "active", but PostgreSQL answers with text, one of active, cancelled, refunded, refund_pending.
  await sql<{ at: Date }>\`select archived_at as at from events\`.execute(db) // column "at" is declared as Date, but nothing proves that it is never null.
  await sql<{ name: string }>\`select v.name from events e left join venues v on v.id = e.venue_id\`.execute(db) // column "name" is declared as string, but nothing proves that it is never null.
  await sql<{ last: number }>\`select max(id) as last from events\`.execute(db) // column "last" is declared as number, but nothing proves that it is never null.
  const given = 'now' as string | null
  await sql<{ given: string }>\`select \${given}::text as given\`.execute(db) // column "given" is declared as string, but nothing proves that it is never null.
  await sql<{ id: number }>\`
    -- taken as not null: id (nobody knows)
    select id from events\`.execute(db)
  await pool.query<{ n: number }>('select count(*) as n from events where id = any ($1)', [[1]])
  await client.query<{ n: number }>('select count(*) as n from events') // column "n" is declared as number, but PostgreSQL answers with bigint.
  const { rows } = await pool.query('select id from events') // the statement answers with rows, but declares none.
  await sql<{ it: { id: number } }>\`select json_build_object('key', id) as it from events\`.execute(db) // column "it.id" is declared by { id: number; }, but not built.
  await sql<{ it: { id: number }[] }>\`select json_agg(json_build_object('id', title)) as it from events group by id\`.execute(db) // column "it[].id" is declared as number, but built as a string.
  await sql<{ it: { at: string } }>\`select json_build_object('at', archived_at) as it from events\`.execute(db) // column "it.at" is declared as not null, but nothing proves that it is never null.
  return rows
}

export const lonely = sql\`e.id\` // no statement is made of it
export const unknown = (db: Kysely<unknown>, what: RawBuilder<unknown>) => sql\`select \${what}\`.execute(db) // what stands for what cannot be told
`

/** What the comments behind the lines say, each with its line. */
export const expectedOfControl = (file: string): string[] =>
  CONTROL.split('\n').flatMap((line, index) => {
    const said = / \/\/ (.+)$/.exec(line)?.[1]
    return said ? [`${file}:${index + 1}: ${said}`] : []
  })
