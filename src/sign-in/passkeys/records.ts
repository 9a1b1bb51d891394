import { sql } from 'kysely'
import type { PeopleDb, PeopleTx } from '../../access/scopes.ts'

export interface Passkey {
  id: number
  name: string
  credentialId: string
  transports: string[]
  lastUsedAt: Date | null
  createdAt: Date
}

export const findPasskeys = async ({ db }: PeopleDb, personId: number): Promise<Passkey[]> => {
  const { rows } = await sql<Passkey>`
    select id, name, credential_id as "credentialId", transports, last_used_at as "lastUsedAt",
      created_at as "createdAt"
    from passkeys where person_id = ${personId} order by id`.execute(db)
  return rows
}

export interface NewPasskey {
  personId: number
  credentialId: string
  publicKey: Buffer
  signatureCount: number
  transports: string[]
  name: string
}

/** False when the authenticator is known already. */
export const insertPasskey = async ({ db }: PeopleTx, passkey: NewPasskey): Promise<boolean> => {
  const { rows } = await sql`
    insert into passkeys (person_id, credential_id, public_key, signature_count, transports, name)
    values (${passkey.personId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.signatureCount},
      ${passkey.transports}::text[], ${passkey.name})
    on conflict (credential_id) do nothing
    returning id`.execute(db)
  return rows.length > 0
}

export const deletePasskey = async ({ db }: PeopleTx, personId: number, id: number): Promise<void> => {
  await sql`delete from passkeys where person_id = ${personId} and id = ${id}`.execute(db)
}

export const deletePasskeys = async ({ db }: PeopleTx, personId: number): Promise<void> => {
  await sql`delete from passkeys where person_id = ${personId}`.execute(db)
}

export interface KnownPasskey {
  id: number
  personId: number
  /** Read together with the passkey, which may end with the password. */
  passwordDigest: string | null
  publicKey: Buffer
  signatureCount: number
}

export const findKnownPasskey = async ({ db }: PeopleDb, credentialId: string): Promise<KnownPasskey | null> => {
  const { rows } = await sql<KnownPasskey>`
    select k.id, k.person_id as "personId", p.password_digest as "passwordDigest", k.public_key as "publicKey",
      k.signature_count as "signatureCount"
    from passkeys k join people p on p.id = k.person_id
    where k.credential_id = ${credentialId}`.execute(db)
  return rows[0] ?? null
}

export const recordPasskeyUse = async ({ db }: PeopleTx, id: number, signatureCount: number): Promise<void> => {
  await sql`
    update passkeys set signature_count = ${signatureCount}, last_used_at = foyer_now() where id = ${id}`.execute(db)
}

const CHALLENGE_MINUTES = 5

export const insertChallenge = async ({ db }: PeopleTx, digest: Buffer, personId: number | null): Promise<void> => {
  await sql`
    insert into passkey_challenges (digest, person_id, expires_at)
    values (${digest}, ${personId}, foyer_now() + make_interval(mins => ${CHALLENGE_MINUTES}))`.execute(db)
}

/** Each challenge is answered once, by whom it was made for. */
export const consumeChallenge = async ({ db }: PeopleTx, digest: Buffer, personId: number | null): Promise<boolean> => {
  const { rows } = await sql<{ isOpen: boolean }>`
    delete from passkey_challenges where digest = ${digest} and person_id is not distinct from ${personId}::bigint
    returning expires_at > foyer_now() as "isOpen"`.execute(db)
  return rows[0]?.isOpen ?? false
}
