import { type RawBuilder, sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { VoucherStatus } from '../rules.ts'
import type { Entry, EntryKind, VoucherSource, VoucherTotals, Voucher } from './rules.ts'

const VOUCHER = sql`
  v.id, v.public_id as "publicId", v.code_suffix as "codeSuffix", p.public_id as "productPublicId",
  v.product_name as "productName", v.source, v.issued_cents as "issuedCents", v.balance_cents as "balanceCents",
  v.reserved_cents as "reservedCents", v.entries_count as "entriesCount", v.expires_at as "expiresAt",
  coalesce(v.expires_at <= foyer_now(), false) as "hasRunOut", v.expiration_posted_at as "expirationPostedAt",
  v.blocked_at as "blockedAt", v.block_reason as "blockReason", v.created_at as "createdAt", v.updated_at as "updatedAt"`

const WITH_PRODUCT = sql`left join voucher_products p on p.account_id = v.account_id and p.id = v.product_id`

export const findVoucher = async (rows: Rows, publicId: string): Promise<Voucher | undefined> => {
  const { rows: vouchers } = await sql<Voucher>`
    select ${VOUCHER} from vouchers v ${WITH_PRODUCT}
    where v.account_id = ${rows.accountId} and v.public_id = ${publicId}`.execute(rows.db)
  return vouchers[0]
}

export const findVouchersById = async (rows: Rows, ids: number[]): Promise<Voucher[]> => {
  if (ids.length === 0) return []
  const { rows: vouchers } = await sql<Voucher>`
    select ${VOUCHER} from vouchers v ${WITH_PRODUCT}
    where v.account_id = ${rows.accountId} and v.id = any(${ids}::bigint[]) order by v.id`.execute(rows.db)
  return vouchers
}

export const findVoucherByCode = async (rows: Rows, digest: Buffer): Promise<Voucher | undefined> => {
  const { rows: vouchers } = await sql<Voucher>`
    select ${VOUCHER} from vouchers v ${WITH_PRODUCT}
    where v.account_id = ${rows.accountId} and v.code_digest = ${digest}`.execute(rows.db)
  return vouchers[0]
}

export type VoucherKey = { publicId: string } | { id: number } | { digest: Buffer }

/** Every writer of a voucher's money takes this lock first. */
export const lockVoucher = async (tx: Tx, key: VoucherKey): Promise<Voucher | undefined> => {
  const named =
    'id' in key
      ? sql`v.id = ${key.id}`
      : 'digest' in key
        ? sql`v.code_digest = ${key.digest}`
        : sql`v.public_id = ${key.publicId}`
  const { rows: vouchers } = await sql<Voucher>`
    select ${VOUCHER} from vouchers v ${WITH_PRODUCT}
    where v.account_id = ${tx.accountId} and ${named} for update of v`.execute(tx.db)
  return vouchers[0]
}

/** A place in the list. The time is kept as text, because a Date would lose its microseconds. */
export interface ListCursor {
  createdAt: string
  id: number
}

export interface VoucherPageRequest {
  status: VoucherStatus | null
  /** Where the page begins: a place, or values of the statement itself. */
  after: ListCursor | { createdAt: RawBuilder<unknown>; id: RawBuilder<unknown> } | null
  limit: number
}

/** What ran out and is not posted yet. There is never much of it, so it is found by its expiry and then sorted. */
const runOut = (rows: Rows) => sql`
  (select * from vouchers
    where account_id = ${rows.accountId} and balance_cents > 0 and expires_at <= foyer_now() offset 0) as run_out`

/** The columns of one page, newest first. Each branch walks one index from where the page begins. */
export const selectVoucherPage = (
  rows: Rows,
  { status, after, limit }: VoucherPageRequest,
  columns: ReturnType<typeof sql>,
) => {
  const from = after ? sql`and (created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::bigint)` : sql``
  const branch = (condition: ReturnType<typeof sql>, table = sql`vouchers`) => sql`
    (select ${columns} from ${table} where account_id = ${rows.accountId} and ${condition} ${from}
      order by created_at desc, id desc limit ${limit})`

  if (status === null) return branch(sql`true`)
  if (status === 'active') return branch(sql`standing = 'open' and (expires_at is null or expires_at > foyer_now())`)
  if (status === 'expired') {
    return sql`${branch(sql`standing = 'expired'`)} union all ${branch(sql`standing = 'open'`, runOut(rows))}`
  }
  return branch(sql`standing = ${status}`)
}

export interface ListedVouchers {
  summary: VoucherTotals
  vouchers: Voucher[]
  /** False when the voucher after which the page shall begin is none. */
  hasPlace: boolean
}

/** Adds up what is kept; only the balances that ran out since the last expiration are looked up. */
const summaryOf = (rows: Rows) => sql`
  select coalesce(sum(count), 0)::bigint as count,
    coalesce(sum(issued_cents), 0)::bigint as "issuedCents",
    coalesce(sum(redeemed_cents), 0)::bigint as "redeemedCents",
    coalesce(sum(balance_cents), 0)::bigint - (
      select coalesce(sum(balance_cents), 0)::bigint from vouchers
      where account_id = ${rows.accountId} and balance_cents > 0 and expires_at <= foyer_now()
    ) as "outstandingCents",
    coalesce(sum(sold_count), 0)::bigint as "soldCount",
    coalesce(sum(sold_cents), 0)::bigint as "soldCents",
    coalesce(sum(bonus_cents), 0)::bigint as "bonusCents",
    coalesce(sum(blocked_count), 0)::bigint as "blockedCount"
  from voucher_totals where account_id = ${rows.accountId}`

/** Without a voucher where the page has none. */
type ListedRow = (Voucher | { id: null }) & { summary: VoucherTotals; hasPlace: boolean }

/** A page and the summary beside it, in one statement: what is listed is what was added up. */
export const findListedVouchers = async (
  rows: Rows,
  { status, afterId, limit }: { status: VoucherStatus | null; afterId: string | null; limit: number },
): Promise<ListedVouchers> => {
  const place = sql`
    select created_at, id from vouchers where account_id = ${rows.accountId} and public_id = ${afterId}::text`
  const after =
    afterId === null ? null : { createdAt: sql`(select created_at from place)`, id: sql`(select id from place)` }
  const { rows: listed } = await sql<ListedRow>`
    with place as materialized (${place}),
    page as (${selectVoucherPage(rows, { status, after, limit }, sql`id`)}),
    listed as (
      select ${VOUCHER} from vouchers v ${WITH_PRODUCT}
      where v.account_id = ${rows.accountId} and v.id in (select id from page)
      order by v.created_at desc, v.id desc limit ${limit}
    )
    select row_to_json(summary) as summary, exists (select from place) as "hasPlace", listed.*
    from (${summaryOf(rows)}) summary left join listed on true
    order by listed."createdAt" desc, listed.id desc`.execute(rows.db)
  const { summary, hasPlace } = listed[0]!
  const vouchers = listed.filter((row) => row.id !== null)
  return { summary, hasPlace: afterId === null || hasPlace, vouchers }
}

export const findEntries = async (rows: Rows, voucherId: number): Promise<Entry[]> => {
  const { rows: entries } = await sql<Entry>`
    select e.public_id as "publicId", e.kind, e.amount_cents as "amountCents",
      e.balance_after_cents as "balanceAfterCents", o.public_id as "orderPublicId", e.actor, e.reason, e.metadata,
      e.created_at as "createdAt"
    from voucher_entries e left join orders o on o.account_id = e.account_id and o.id = e.order_id
    where e.account_id = ${rows.accountId} and e.voucher_id = ${voucherId}
    order by e.seq desc`.execute(rows.db)
  return entries
}

export interface NewVoucher {
  publicId: string
  entryPublicId: string
  codeDigest: Buffer
  codeSealed: Buffer
  codeSuffix: string
  productId: number | null
  productName: string | null
  source: VoucherSource
  amountCents: number
  paidCents: number | null
  expiresAt: Date | null
  importId?: number
  importLine?: number
  actor: string | null
  note: string | null
  /** Now, unless it was issued elsewhere before. */
  createdAt?: Date | null
}

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`

/** Issues any number of vouchers, each with its first entry, in one statement; IDs ascend in the given order. */
export const insertVouchers = async (tx: Tx, vouchers: NewVoucher[]): Promise<number[]> => {
  if (vouchers.length === 0) return []
  const text = JSON.stringify(
    vouchers.map((voucher) => ({
      ...voucher,
      codeDigest: hex(voucher.codeDigest),
      codeSealed: hex(voucher.codeSealed),
    })),
  )
  const { rows } = await sql<{ id: number }>`
    with given as materialized (
      -- taken as not null: id (the column draws from a sequence)
      select nextval(pg_get_serial_sequence('vouchers', 'id')) as id, listed.*
      from rows from (json_to_recordset(${text}::json) as (
        "publicId" text, "entryPublicId" text, "codeDigest" bytea, "codeSealed" bytea, "codeSuffix" text,
        "productId" bigint, "productName" text, source text, "amountCents" bigint, "paidCents" bigint,
        "expiresAt" timestamptz, "importId" bigint, "importLine" int, actor text, note text, "createdAt" timestamptz
      )) with ordinality as listed order by ordinality
    ), issued as (
      insert into vouchers (account_id, id, public_id, code_digest, code_sealed, code_suffix, product_id, product_name,
        source, issued_cents, balance_cents, paid_cents, expires_at, import_id, import_line, created_at, updated_at)
      select ${tx.accountId}, id, "publicId", "codeDigest", "codeSealed", "codeSuffix", "productId", "productName",
        source, "amountCents", "amountCents", "paidCents", "expiresAt", "importId", "importLine",
        coalesce("createdAt", foyer_now()), coalesce("createdAt", foyer_now())
      from given
    ), posted as (
      insert into voucher_entries (account_id, voucher_id, seq, public_id, kind, amount_cents, balance_after_cents,
        actor, reason, created_at)
      select ${tx.accountId}, id, 1, "entryPublicId", 'issuance', "amountCents", "amountCents", actor, note,
        coalesce("createdAt", foyer_now())
      from given
    )
    select id from given order by ordinality`.execute(tx.db)
  return rows.map(({ id }) => id)
}

export interface NewEntry {
  publicId: string
  kind: Exclude<EntryKind, 'issuance'>
  amountCents: number
  orderId?: number | null
  actor: string | null
  reason?: string | null
  metadata?: Record<string, unknown>
  createdAt?: Date | null
}

/** Adds to a voucher that is locked. The database follows the chain and moves the balance. */
export const insertEntry = async (
  tx: Tx,
  voucher: Pick<Voucher, 'id' | 'entriesCount' | 'balanceCents'>,
  entry: NewEntry,
): Promise<void> => {
  await sql`
    insert into voucher_entries (account_id, voucher_id, seq, public_id, kind, amount_cents, balance_after_cents,
      order_id, actor, reason, metadata, created_at)
    values (${tx.accountId}, ${voucher.id}, ${voucher.entriesCount + 1}, ${entry.publicId}, ${entry.kind},
      ${entry.amountCents}, ${voucher.balanceCents + entry.amountCents}, ${entry.orderId ?? null}, ${entry.actor},
      ${entry.reason ?? null}, ${JSON.stringify(entry.metadata ?? {})}::jsonb,
      coalesce(${entry.createdAt ?? null}::timestamptz, foyer_now()))`.execute(tx.db)
}

/** Tells whether it was open before; a second block keeps the first reason. */
export const recordBlock = async (tx: Tx, id: number, reason: string): Promise<boolean> => {
  const { rows } = await sql`
    update vouchers set blocked_at = foyer_now(), block_reason = ${reason}
    where account_id = ${tx.accountId} and id = ${id} and blocked_at is null returning id`.execute(tx.db)
  return rows.length > 0
}

export const recordUnblock = async (tx: Tx, id: number): Promise<boolean> => {
  const { rows } = await sql`
    update vouchers set blocked_at = null, block_reason = null
    where account_id = ${tx.accountId} and id = ${id} and blocked_at is not null returning id`.execute(tx.db)
  return rows.length > 0
}

export const readDatabaseTime = async (rows: Rows): Promise<Date> => {
  const { rows: times } = await sql<{ now: Date }>`select foyer_now() as now`.execute(rows.db)
  return times[0]!.now
}
