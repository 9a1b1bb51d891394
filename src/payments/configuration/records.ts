import { sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import { runPrepared } from '../../database/prepared.ts'
import type { SecretName } from '../payment-method.ts'
import type { PaymentMethodName } from '../rules.ts'

export interface ConfiguredMethod {
  id: number
  name: PaymentMethodName
  enabled: boolean
  settings: MethodSettings
  /** In base64, by name. */
  sealedSecrets: Partial<Record<SecretName, string>>
  webhookKey: string | null
  now: Date
}

export interface MethodSettings {
  instructions?: string
  expires_after_days?: number
}

const COLUMNS = sql`
  m.id, m.name, m.enabled, m.settings, m.sealed_secrets as "sealedSecrets", k.key as "webhookKey", foyer_now() as now`
const JOINED = sql`
  payment_methods m
  left join payment_webhook_keys k on k.account_id = m.account_id and k.payment_method_id = m.id`

export const findConfiguredMethods = async (rows: Rows): Promise<ConfiguredMethod[]> => {
  const statement = sql<ConfiguredMethod>`
    select ${COLUMNS} from ${JOINED} where m.account_id = ${rows.accountId} order by m.id`
  return runPrepared(rows.db, 'payment-methods', statement)
}

export const findConfiguredMethod = async (
  rows: Rows,
  key: { id: number } | { name: PaymentMethodName },
): Promise<ConfiguredMethod | undefined> => {
  const condition = 'id' in key ? sql`m.id = ${key.id}` : sql`m.name = ${key.name}`
  const statement = sql<ConfiguredMethod>`
    select ${COLUMNS} from ${JOINED} where m.account_id = ${rows.accountId} and ${condition}`
  return (await runPrepared(rows.db, `payment-method-by-${'id' in key ? 'id' : 'name'}`, statement))[0]
}

export const lockConfiguredMethod = async (tx: Tx, id: number): Promise<ConfiguredMethod | undefined> => {
  const { rows: methods } = await sql<ConfiguredMethod>`
    select ${COLUMNS} from ${JOINED} where m.account_id = ${tx.accountId} and m.id = ${id} for update of m`.execute(
    tx.db,
  )
  return methods[0]
}

export const updateConfiguredMethod = async (
  tx: Tx,
  { id, enabled, settings, sealedSecrets }: Pick<ConfiguredMethod, 'id' | 'enabled' | 'settings' | 'sealedSecrets'>,
): Promise<void> => {
  await sql`
    update payment_methods set enabled = ${enabled}, settings = ${JSON.stringify(settings)}::jsonb,
      sealed_secrets = ${JSON.stringify(sealedSecrets)}::jsonb
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}
