import type { CallerScope } from '../access/scopes.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE, MUST_BE_BLANK_MESSAGE } from '../kernel/messages.ts'
import { type ErrorMap, Invalid, NotFound, requireFound } from '../kernel/refusals.ts'
import type { PaymentMethod, SecretName, SettingName } from './payment-method.ts'
import { type Payments, isMethodOffered } from './payments.ts'
import type { PaymentMethodChanges } from './wire.ts'
import {
  type ConfiguredMethod,
  type MethodSettings,
  findConfiguredMethod,
  lockConfiguredMethod,
  updateConfiguredMethod,
} from './configuration/records.ts'
import { sealMethodSecret } from './configuration/secrets.ts'

type Changes = ReturnType<(typeof PaymentMethodChanges)['read']>

const SECRET_SHAPES: Record<SecretName, RegExp> = {
  secret_key: /^[rs]k_[\w-]{4,}$/,
  webhook_secret: /^whsec_[\w+/=-]{4,}$/,
}
const SECRET_NAMES = Object.keys(SECRET_SHAPES) as SecretName[]
const SETTING_NAMES: readonly SettingName[] = ['instructions', 'expires_after_days']

/** A method that this installation offers to the account; any other is not there. */
export const requireOfferedMethod = async (scope: CallerScope, id: number): Promise<ConfiguredMethod> =>
  requireOffered(scope, await findConfiguredMethod(scope.rows, { id }))

const requireOffered = ({ app, account }: CallerScope, method: ConfiguredMethod | undefined): ConfiguredMethod => {
  if (!isMethodOffered(app.settings, account, requireFound(method).name)) throw new NotFound()
  return requireFound(method)
}

/** Changes what is sent. A secret can be written and taken away; nothing ever shows it. */
export const changeMethod = (
  { methods }: Payments,
  scope: CallerScope,
  id: number,
  changes: Changes,
): Promise<ConfiguredMethod> =>
  scope.transaction(async (tx) => {
    const current = requireOffered(scope, await lockConfiguredMethod(tx, id))
    const method = methods[current.name]
    const changed = {
      id,
      enabled: changes.enabled ?? current.enabled,
      settings: mergeSettings(current.settings, changes),
      sealedSecrets: mergeSecrets(scope, current.sealedSecrets, changes),
    }
    const faults = { ...faultsOf(method, changes), ...(changed.enabled && missingOf(method, changed)) }
    if (Object.keys(faults).length > 0) throw new Invalid(faults)

    // Only the names: neither a secret nor what is told to buyers belongs into the audit log.
    const names = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    scope.note?.add({ payment_method: current.name, changed: names })
    await updateConfiguredMethod(tx, changed)
    return requireFound(await findConfiguredMethod(tx, { id }))
  })

const mergeSettings = (current: MethodSettings, changes: Changes): MethodSettings => {
  const { instructions = current.instructions, expires_after_days: days = current.expires_after_days } = changes
  return {
    ...(typeof instructions === 'string' && { instructions }),
    ...(days !== undefined && { expires_after_days: days }),
  }
}

const mergeSecrets = ({ app, account }: CallerScope, current: ConfiguredMethod['sealedSecrets'], changes: Changes) => {
  const merged = { ...current }
  for (const name of SECRET_NAMES) {
    const secret = changes[name]
    if (secret === null) delete merged[name]
    else if (secret !== undefined) merged[name] = sealMethodSecret(app.secrets, account.id, name, secret)
  }
  return merged
}

/** What a method does not know is refused, and so is a secret that is clearly something else. */
const faultsOf = (method: PaymentMethod, changes: Changes): ErrorMap => {
  const known = new Set<string>([...method.settings, ...method.secrets])
  const faults: ErrorMap = {}
  for (const name of [...SETTING_NAMES, ...SECRET_NAMES]) {
    const isSent = changes[name] !== undefined && changes[name] !== null
    if (isSent && !known.has(name)) faults[name] = [MUST_BE_BLANK_MESSAGE]
  }
  for (const name of SECRET_NAMES) {
    const secret = changes[name]
    if (typeof secret === 'string' && !faults[name] && !SECRET_SHAPES[name].test(secret))
      faults[name] = [INVALID_MESSAGE]
  }
  return faults
}

/** What must be there before buyers may choose it. */
const missingOf = (
  method: PaymentMethod,
  { settings, sealedSecrets }: Pick<ConfiguredMethod, 'settings' | 'sealedSecrets'>,
): ErrorMap => {
  const missing = [
    ...(method.settings.includes('instructions') && !settings.instructions ? ['instructions'] : []),
    ...method.secrets.filter((name) => sealedSecrets[name] === undefined),
  ]
  return Object.fromEntries(missing.map((name) => [name, [BLANK_MESSAGE]]))
}
