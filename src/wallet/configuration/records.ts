import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'

/** What an account has set for its passes. */
export interface AccountWallet {
  color: string | null
  logo: Buffer | null
  appleCertificate: string | null
  appleIntermediate: string | null
  appleKeySealed: Buffer | null
  googleIssuerId: string | null
  googleKeySealed: Buffer | null
}

export const NO_ACCOUNT_WALLET: AccountWallet = {
  color: null,
  logo: null,
  appleCertificate: null,
  appleIntermediate: null,
  appleKeySealed: null,
  googleIssuerId: null,
  googleKeySealed: null,
}

export const findAccountWallet = async (rows: Rows): Promise<AccountWallet> => {
  const found = await sql<AccountWallet>`
    select color, logo, apple_certificate as "appleCertificate", apple_intermediate as "appleIntermediate",
      apple_key_sealed as "appleKeySealed", google_issuer_id as "googleIssuerId", google_key_sealed as "googleKeySealed"
    from wallet_settings where account_id = ${rows.accountId}`.execute(rows.db)
  return found.rows[0] ?? NO_ACCOUNT_WALLET
}

/** Whoever changes the settings comes one after the other. */
export const lockAccountWallet = async (tx: Tx): Promise<AccountWallet> => {
  await sql`select from accounts where id = ${tx.accountId} for no key update`.execute(tx.db)
  return findAccountWallet(tx)
}

export const saveAccountWallet = async (tx: Tx, wallet: AccountWallet): Promise<void> => {
  await sql`
    insert into wallet_settings (account_id, color, logo, apple_certificate, apple_intermediate, apple_key_sealed,
      google_issuer_id, google_key_sealed)
    values (${tx.accountId}, ${wallet.color}::text, ${wallet.logo}::bytea, ${wallet.appleCertificate}::text,
      ${wallet.appleIntermediate}::text, ${wallet.appleKeySealed}::bytea, ${wallet.googleIssuerId}::text,
      ${wallet.googleKeySealed}::bytea)
    on conflict (account_id) do update set color = excluded.color, logo = excluded.logo,
      apple_certificate = excluded.apple_certificate, apple_intermediate = excluded.apple_intermediate,
      apple_key_sealed = excluded.apple_key_sealed, google_issuer_id = excluded.google_issuer_id,
      google_key_sealed = excluded.google_key_sealed`.execute(tx.db)
}

/** Of all accounts: for whoever runs the installation. */
export const findAccountsWithCertificates = async (
  database: Database,
): Promise<{ id: number; subdomain: string }[]> => {
  const { rows } = await sql<{ id: number; subdomain: string }>`
    select a.id, a.subdomain from wallet_settings w join accounts a on a.id = w.account_id
    where w.apple_certificate is not null order by a.id`.execute(database.kysely)
  return rows
}
