import { sql } from 'kysely'
import { claimKeys } from '../access/directory-keys.ts'
import type { Rows, Tx } from '../access/scopes.ts'

export interface WalletPass {
  issuedAt: Date
  /** When what it shows last changed, in whole seconds. */
  modifiedAt: Date
  digest: Buffer
  googleIssuedAt: Date | null
  googleToldAt: Date | null
}

const PASS_COLUMNS = sql`
  issued_at as "issuedAt", modified_at as "modifiedAt", digest, google_issued_at as "googleIssuedAt",
  google_told_at as "googleToldAt"`

export const lockPass = async (tx: Tx, admissionId: number): Promise<WalletPass | null> => {
  const { rows } = await sql<WalletPass>`
    select ${PASS_COLUMNS} from wallet_passes
    where account_id = ${tx.accountId} and admission_id = ${admissionId} for no key update`.execute(tx.db)
  return rows[0] ?? null
}

/**
 * From here on a change of the admission tells of itself: its row is written, so whoever changes it at the same time
 * comes before this and is seen by what follows, or after it.
 */
export const markAdmissionHasPass = async (tx: Tx, admissionId: number): Promise<void> => {
  await sql`
    update admissions set has_wallet_pass = true
    where account_id = ${tx.accountId} and id = ${admissionId} and not has_wallet_pass`.execute(tx.db)
}

export const insertPass = async (
  tx: Tx,
  pass: { eventId: number; admissionId: number; digest: Buffer },
): Promise<void> => {
  await sql`
    insert into wallet_passes (account_id, event_id, admission_id, issued_at, modified_at, digest)
    values (${tx.accountId}, ${pass.eventId}, ${pass.admissionId}, date_trunc('second', foyer_now()),
      date_trunc('second', foyer_now()), ${pass.digest})
    on conflict do nothing`.execute(tx.db)
}

/** Another second than before, whatever the clock says: phones tell changes apart by it. */
export const recordPassChange = async (tx: Tx, admissionId: number, digest: Buffer): Promise<Date> => {
  const { rows } = await sql<{ modifiedAt: Date }>`
    update wallet_passes
    set digest = ${digest}, modified_at = greatest(date_trunc('second', foyer_now()), modified_at + interval '1 second')
    where account_id = ${tx.accountId} and admission_id = ${admissionId}
    returning modified_at as "modifiedAt"`.execute(tx.db)
  return rows[0]!.modifiedAt
}

export const recordGoogleIssue = async (tx: Tx, admissionId: number, modifiedAt: Date): Promise<void> => {
  await sql`
    update wallet_passes set google_issued_at = foyer_now(), google_told_at = ${modifiedAt}
    where account_id = ${tx.accountId} and admission_id = ${admissionId} and google_issued_at is null`.execute(tx.db)
}

export const recordGoogleUpdated = async (rows: Rows, admissionId: number, modifiedAt: Date): Promise<void> => {
  await sql`
    update wallet_passes set google_told_at = greatest(google_told_at, ${modifiedAt}::timestamptz)
    where account_id = ${rows.accountId} and admission_id = ${admissionId}`.execute(rows.db)
}

/** What a link carries becomes known to Google with it, unless Google knows the event already. */
export const insertGoogleClass = async (tx: Tx, eventId: number, digest: Buffer): Promise<void> => {
  await sql`
    insert into google_wallet_classes (account_id, event_id, digest) values (${tx.accountId}, ${eventId}, ${digest})
    on conflict do nothing`.execute(tx.db)
}

/** Whether this is the one to tell Google what an event is like now. */
export const claimGoogleClass = async (rows: Rows, eventId: number, digest: Buffer): Promise<boolean> => {
  const claimed = await sql`
    insert into google_wallet_classes as kept (account_id, event_id, digest)
    values (${rows.accountId}, ${eventId}, ${digest})
    on conflict (account_id, event_id) do update set digest = excluded.digest
    where kept.digest is distinct from excluded.digest
    returning event_id`.execute(rows.db)
  return claimed.rows.length > 0
}

/** Google was not told after all. */
export const releaseGoogleClass = async (rows: Rows, eventId: number): Promise<void> => {
  await sql`
    update google_wallet_classes set digest = null
    where account_id = ${rows.accountId} and event_id = ${eventId}`.execute(rows.db)
}

interface RegistrationKey {
  admissionId: number
  passTypeId: string
  deviceDigest: Buffer
}

/** Whether it is new. A phone that registers again may have another push token. */
export const saveRegistration = async (
  tx: Tx,
  { admissionId, passTypeId, deviceDigest }: RegistrationKey,
  pushToken: string,
): Promise<boolean> => {
  await claimKeys(tx, 'wallet_device', [deviceDigest])
  const { rows } = await sql<{ isNew: boolean }>`
    insert into wallet_registrations as kept (account_id, admission_id, pass_type_id, device_digest, push_token, told_at)
    select account_id, admission_id, ${passTypeId}, ${deviceDigest}, ${pushToken}, issued_at from wallet_passes
    where account_id = ${tx.accountId} and admission_id = ${admissionId}
    on conflict (account_id, admission_id, pass_type_id, device_digest) do update set push_token = excluded.push_token
    -- taken as not null: isNew (every row has an xmax)
    returning xmax = 0 as "isNew"`.execute(tx.db)
  return rows[0]?.isNew ?? false
}

/** Nobody looks at one ticket on more phones than this; the oldest give way. */
export const deleteSurplusRegistrations = async (tx: Tx, admissionId: number, most: number): Promise<void> => {
  await sql`
    delete from wallet_registrations r using (
      select pass_type_id, device_digest from wallet_registrations
      where account_id = ${tx.accountId} and admission_id = ${admissionId}
      order by created_at desc, device_digest offset ${most}
    ) surplus
    where r.account_id = ${tx.accountId} and r.admission_id = ${admissionId}
      and r.pass_type_id = surplus.pass_type_id and r.device_digest = surplus.device_digest`.execute(tx.db)
}

export const deleteRegistration = async (rows: Rows, key: RegistrationKey, pushToken?: string): Promise<void> => {
  const { admissionId, passTypeId, deviceDigest } = key
  await sql`
    delete from wallet_registrations
    where account_id = ${rows.accountId} and admission_id = ${admissionId} and pass_type_id = ${passTypeId}
      and device_digest = ${deviceDigest} and push_token = coalesce(${pushToken ?? null}::text, push_token)`.execute(
    rows.db,
  )
}

export interface Registration extends RegistrationKey {
  pushToken: string
}

/** Phones that do not know yet what the pass shows. */
export const findPhonesToNotify = async (rows: Rows, admissionId: number): Promise<Registration[]> => {
  const { rows: untold } = await sql<Registration>`
    select r.admission_id as "admissionId", r.pass_type_id as "passTypeId", r.device_digest as "deviceDigest",
      r.push_token as "pushToken"
    from wallet_registrations r
    join wallet_passes p on p.account_id = r.account_id and p.admission_id = r.admission_id
    where r.account_id = ${rows.accountId} and r.admission_id = ${admissionId} and r.told_at < p.modified_at
    order by r.created_at`.execute(rows.db)
  return untold
}

export const recordPhoneNotified = async (rows: Rows, key: RegistrationKey, modifiedAt: Date): Promise<void> => {
  await sql`
    update wallet_registrations set told_at = greatest(told_at, ${modifiedAt}::timestamptz)
    where account_id = ${rows.accountId} and admission_id = ${key.admissionId} and pass_type_id = ${key.passTypeId}
      and device_digest = ${key.deviceDigest}`.execute(rows.db)
}

export interface ChangedPass {
  publicId: string
  modifiedAt: Date
}

/**
 * Passes of a phone that changed after a moment. It is looked back a little further: two that changed at once may be
 * written in another order than their moments say, and asking for a pass once too often costs a short answer.
 */
export const findChangedPasses = async (
  rows: Rows,
  { deviceDigest, passTypeId, since }: { deviceDigest: Buffer; passTypeId: string; since: Date | null },
): Promise<ChangedPass[]> => {
  const { rows: changed } = await sql<ChangedPass>`
    select m.public_id as "publicId", p.modified_at as "modifiedAt"
    from wallet_registrations r
    join wallet_passes p on p.account_id = r.account_id and p.admission_id = r.admission_id
    join admissions m on m.account_id = r.account_id and m.id = r.admission_id
    where r.account_id = ${rows.accountId} and r.device_digest = ${deviceDigest} and r.pass_type_id = ${passTypeId}
      and (${since}::timestamptz is null or p.modified_at > ${since}::timestamptz - interval '2 minutes')
    order by p.modified_at, m.id`.execute(rows.db)
  return changed
}
