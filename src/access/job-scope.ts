import { findAccountById } from './account-by-id.ts'
import type { App } from './app.ts'
import { AccountScope, type Rows, accountDbForJob } from './scopes.ts'

/**
 * Foyer's own work on one account, without a caller: a job knows the account's ID from the row that it was
 * enqueued for. Null when the account is gone.
 */
export const openAccountForJob = async (app: App, accountId: number): Promise<AccountScope | null> => {
  const account = await findAccountById(app, accountId)
  return account && new AccountScope(app, account)
}

/** The same for reading alone, without asking whether the account is still there. */
export const openRowsForJob = (app: App, accountId: number): Rows => accountDbForJob(app.database, accountId)
