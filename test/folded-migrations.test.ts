import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../src/database/migrate.ts'
import { type ClonedDatabase, createDatabase } from './kit/database/database.ts'
import { withClient } from './kit/database/template.ts'
import { type WholeCatalogue, readWholeCatalogue } from './kit/database/whole-catalogue.ts'

const ROOT = path.join(import.meta.dirname, '..')

interface Made {
  database: ClonedDatabase
  catalogue: WholeCatalogue
}

let before: Made
let folded: Made

const makeFrom = async (folder: string): Promise<Made> => {
  const database = await createDatabase()
  await migrate(database.connection, { folder: path.join(ROOT, folder) })
  return { database, catalogue: await withClient(database.connection, readWholeCatalogue) }
}

beforeAll(async () => {
  before = await makeFrom('migrations')
  folded = await makeFrom('migrations-folded')
})

afterAll(async () => {
  await before.database.drop()
  await folded.database.drop()
})

test('the folded schema equals the old one', () => {
  expect(before.catalogue.lines.length).toBeGreaterThan(5_000)
  expect(folded.catalogue.lines).toEqual(before.catalogue.lines)
})

test('of the tables only those that got a column later have their columns in another order', () => {
  const others = Array.from(folded.catalogue.columnOrder)
    .filter(([table, names]) => names.join() !== before.catalogue.columnOrder.get(table)?.join())
    .map(([table]) => table)
  expect(others).toEqual(['public.accounts', 'public.admissions'])
})

/** One small change of each kind. */
const CHANGES = [
  'alter table public.events alter column title drop not null',
  'alter table public.events alter column description drop default',
  'alter table public.blobs alter column byte_size type integer',
  'alter table public.events alter column title set statistics 500',
  'alter table public.events alter column id set generated always',
  'alter table public.events add column more text',
  'alter table public.events set (autovacuum_vacuum_scale_factor = 0.1)',
  'alter table public.admissions reset (fillfactor)',
  'alter table public.spent_budgets set logged',
  'alter table public.events drop constraint a_capacity_is_not_negative',
  'alter table public.places alter constraint a_pair_is_of_one_event deferrable initially immediate',
  `comment on constraint an_event_has_a_title on public.events is 'why'`,
  'drop index public.events_by_end',
  'alter index public.admissions_by_search_words reset (gin_pending_list_limit)',
  'alter index public.events_by_end rename to events_by_their_end',
  'alter function public.foyer_now() volatile',
  'alter function public.claim_lane_jobs(text, text, bigint, bigint[], integer) reset enable_seqscan',
  'create or replace function public.keep_the_ledger() returns trigger language plpgsql as $$ begin return null; end $$',
  'alter table public.events disable trigger touch',
  'drop trigger tell_boards on public.assignments',
  'create view public.shown as select 1 as one',
  `create type public.mood as enum ('glad')`,
  'create sequence public.numbers',
  'alter sequence public.events_id_seq cache 5',
  'grant select on public.events to public',
  'grant select (title) on public.events to public',
  'drop extension btree_gin',
  'create statistics public.related on account_id, venue_id from public.events',
  'create cast (text as public.accounts) with inout',
]

test.each(CHANGES)('the comparison would notice: %s', async (change) => {
  await withClient(folded.database.connection, async (client) => {
    await client.query('begin')
    await client.query(change)
    const { lines } = await readWholeCatalogue(client)
    expect(lines).not.toEqual(folded.catalogue.lines)
    await client.query('rollback')
  })
})
