import type { Database } from '../database/database.ts'

/** Something to be spent of a budget, or given back to it: then it is negative. */
export interface BudgetChange {
  /** Each once in a statement. */
  digest: Buffer
  microseconds: number
}

export interface ChangedBudget {
  isGranted: boolean
  /** In how many milliseconds nothing would be spent any more. */
  fullInMs: number
}

/** Budgets are locked in the order of their digests, as several processes spend at once. */
const MOVE_BUDGETS = `
  with asked as (
    select n, digest, microseconds * interval '1 microsecond' as cost
    from unnest($1::bytea[], $2::bigint[]) with ordinality as asked (digest, microseconds, n)
  ), moved as (
    insert into spent_budgets as b (digest, full_at)
    select digest, foyer_now() + cost from asked order by digest
    on conflict (digest) do update
      set full_at = greatest(b.full_at, foyer_now()) + (excluded.full_at - foyer_now())
      where greatest(b.full_at, foyer_now()) + (excluded.full_at - foyer_now()) <= foyer_now() + interval '1 minute'
    returning digest, full_at
  )
  select moved.digest is not null as "isGranted",
    coalesce(extract(epoch from coalesce(moved.full_at, b.full_at) - foyer_now()) * 1000, 0)::float8 as "fullInMs"
  from asked left join moved using (digest) left join spent_budgets b using (digest)
  order by asked.n`

export const changeBudgets = async ({ lookups }: Database, moves: BudgetChange[]): Promise<ChangedBudget[]> => {
  const { rows } = await lookups.query<ChangedBudget>({
    name: 'move-budgets',
    text: MOVE_BUDGETS,
    values: [moves.map(({ digest }) => digest), moves.map(({ microseconds }) => microseconds)],
  })
  return rows
}

/** Those of which nothing is spent any more. */
export const deleteFullBudgets = async ({ pool }: Database): Promise<void> => {
  await pool.query('delete from spent_budgets where full_at < foyer_now()')
}
