import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from './kit/database/database.ts'
import { readSqlCatalogue } from './kit/sql/catalogue.ts'
import { type Findings, checkStatements } from './kit/sql/check.ts'
import { CONTROL, expectedOfControl } from './kit/sql/control.ts'
import { describeStatement } from './kit/sql/describe.ts'
import { openProject } from './kit/sql/project.ts'
import { withClient } from './kit/database/template.ts'

/** Statements whose text is not known before they run, and why that may be. */
const UNTOLD: Record<string, string> = {
  'client.query(copyTo(copyOut(table)))': 'a backup copies whatever tables there are',
  'client.query(copyFrom(copyIn(table)))': 'a restore copies whatever tables the archive has',
  'source.query(copyTo(copyOut(table, accountId)))': 'a move copies whatever tables have accounts',
  'target.query(copyFrom(copyIn(table)))': 'the same at the other end',
  'server.query<Row>(text, values)': 'a move counts and removes rows of whatever tables have accounts',
  'client.query(text)': 'a migration as it stands in its file; every test runs on a database that they made',
}

const CONTROL_FILE = 'src/control-of-statements.ts'
/** Most of it is the compiler reading the source, which a busy machine takes its time for. */
const TIMEOUT_MS = 600_000

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })

let clone: ClonedDatabase
let findings: Findings

beforeAll(async () => {
  clone = await cloneDatabase()
  findings = await checkStatements(openProject({ [CONTROL_FILE]: CONTROL }), clone.connection)
})

afterAll(() => clone.drop())

const isOfControl = ({ place }: { place: string }) => place.startsWith(CONTROL_FILE)

test('every statement of the house answers with the rows it declares', () => {
  expect(findings.faults.filter((fault) => !isOfControl(fault)).map(({ message }) => message)).toEqual([])
})

test('every statement is put together without running its feature, and no fragment is left over', () => {
  const untold = findings.untold.filter((each) => !isOfControl(each))
  const unknown = untold.filter(({ code }) => !(code in UNTOLD))
  expect(unknown.map(({ place, code, reason }) => `${place}: ${reason}: ${code}`)).toEqual([])
  expect(new Set(untold.map(({ code }) => code))).toEqual(new Set(Object.keys(UNTOLD)))
  expect(findings.statements.length).toBeGreaterThan(300)
})

test('a renamed column, a wrong type, a wrong null and a statement out of sight are found, each at its line', () => {
  const { faults, untold } = findings
  const said = [
    ...faults
      .filter(isOfControl)
      .map(({ message }) => message.replace(/PostgreSQL refuses the statement: (.+)\.$/, '$1')),
    ...untold.filter(isOfControl).map(({ place, reason }) => `${place}: ${reason}`),
  ]
  expect(said.toSorted()).toEqual(
    [
      ...expectedOfControl(CONTROL_FILE),
      `${CONTROL_FILE}:34: column "it.key" is built, but not declared by { id: number; }.`,
      `${CONTROL_FILE}:28: column "id" needs not be taken as not null any more.`,
    ].toSorted(),
  )
})

/** The first may be null, the second never is. */
const PARAMETERS = [true, false].map((isNullable) => ({ isNullable, hasNullItems: isNullable }))

const NULLABLE = [
  'select null::int',
  'select archived_at from events',
  'select v.id from events e left join venues v on v.id = e.venue_id',
  'select e.id from venues v full join events e on v.id = e.venue_id',
  'select v.id from events e left join (venues v join accounts a on a.id = v.account_id) on v.id = e.venue_id',
  'select joined.id from (select v.id from events e left join venues v on v.id = e.venue_id) joined',
  'with step as (select archived_at from events) select archived_at from step',
  'select id from events union all select null',
  'select max(id) from events',
  'select array_agg(id) from events',
  'select sum(id) filter (where archived_at is null) from events group by account_id',
  'select max(archived_at) from events group by account_id',
  'select (select id from events limit 1)',
  'select (select count(*) from events having count(*) > 1)',
  'select (select n from (select count(*) as n from events) counted where n > 1)',
  'select (select n from (select count(*) as n from events group by account_id limit 1) counted)',
  'select (select row_to_json(e) from events e limit 1)',
  'select (select row_to_json(counted) from (select count(*) from events) counted, events e)',
  'select (select generate_series(1, 0))',
  'select case when archived_at is null then 1 end from events',
  'select nullif(id, 1) from events',
  `select '{}'::jsonb -> 'a'`,
  "select archived_at + interval '1 day' from events",
  'select coalesce(archived_at, cancelled_at) from events',
  'select x from unnest(array[1, null]) as x',
  'select b from unnest(array[1, 2], array[1]) as x (a, b)',
  'select * from (values (1), (null)) as x',
  'select archived_at from events where archived_at is not null or id = 1',
  'select archived_at from events where not (archived_at is not null)',
  'update events set archived_at = null where archived_at is not null returning archived_at',
  "insert into venues (account_id, name) values (1, 'a') returning latitude",
  'select account_id from events group by rollup (account_id)',
  'select lag(id) over () from events',
  'select id in (select venue_id from events) from events',
  'select $1::int from events where id = $2',
  "select current_setting('foyer.nothing', true)",
]

const NEVER_NULL = [
  'select 1',
  'select id from events',
  'select e.id from events e left join venues v on v.id = e.venue_id',
  "select v.id from events e left join venues v on v.id = e.venue_id where v.name = 'a'",
  'select archived_at from events where archived_at is not null',
  'select archived_at from events where archived_at < foyer_now() and id > 0',
  'select at from (select archived_at as at from events where archived_at > foyer_now()) as over',
  'with step as (update events set archived_at = foyer_now() returning archived_at) select archived_at from step',
  'select id from events union all select 1',
  'select count(*) from events',
  'select max(id) from events group by account_id',
  'select coalesce(max(id), 0) from events',
  'select (select count(*) from events)',
  'select (select row_to_json(counted) from (select count(*) from events) counted)',
  'select exists (select from events)',
  'select array(select archived_at from events)',
  'select case when archived_at is null then 1 else 2 end from events',
  'select archived_at is null from events',
  "select foyer_now() + interval '1 day'",
  'select n from unnest(array[1, null]) with ordinality as x (a, n)',
  'select row_number() over () from events',
  'select $2::int from events where id = $1',
]

test('what is proven never to be null is not, and what may be null is not proven', async () => {
  const proven = await withClient(clone.connection, async (client) => {
    const catalogue = await readSqlCatalogue(client)
    const found: string[] = []
    for (const text of [...NULLABLE, ...NEVER_NULL]) {
      const [column] = await describeStatement(client, catalogue, { text, parameters: PARAMETERS })
      if (column && !column.isNullable) found.push(text)
    }
    return found
  })
  expect(proven).toEqual(NEVER_NULL)
})
