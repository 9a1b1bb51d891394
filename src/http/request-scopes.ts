import { PendingAuditEntry } from '../access/audit.ts'
import { CallerScope, type TransactionDb } from '../access/scopes.ts'
import type { Endpoint } from './endpoint.ts'

export const callerScopeOf = (given: object): CallerScope | null => {
  const scope: unknown = Object.values(given)[0]
  return scope instanceof CallerScope ? scope : null
}

/** Parts of a path that are no plain IDs: they may be secrets, or open something. */
const UNSPEAKABLE = new Set(['token', 'code', 'signed_id', 'identifier'])

/** The audit log knows an address by its pattern and the IDs in it. */
export const withPendingAuditEntry = (
  given: object,
  { method, path }: Endpoint,
  params: Record<string, string>,
): object => {
  const subject = Object.fromEntries(Object.entries(params).filter(([name]) => !UNSPEAKABLE.has(name)))
  const note = new PendingAuditEntry(`${method} ${path}`, subject)
  return Object.fromEntries(
    Object.entries(given).map(([name, scope]) => [name, scope instanceof CallerScope ? scope.noted(note) : scope]),
  )
}

/** What was done without a transaction of the scope is noted all the same, only later. */
export const writeAuditEntryIfPending = async (given: object) => {
  const scope = callerScopeOf(given)
  if (scope?.note && !scope.note.isWritten) await scope.transaction(async () => {})
}

export const scopesInTransaction = (given: object, held: TransactionDb): object =>
  Object.fromEntries(Object.entries(given).map(([name, scope]) => [name, (scope as CallerScope).within(held)]))
