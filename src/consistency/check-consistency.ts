import type { App } from '../access/app.ts'
import { openRowsForJob } from '../access/job-scope.ts'
import { appOf, appsOfShards, directoryOf, locateAppOf } from '../access/shards.ts'
import { findEntryMismatches } from '../door/attempts/ended/records.ts'
import { compareUploadTotal } from '../files/records.ts'
import { checkInventories } from '../inventory/consistency/check-inventories.ts'
import { findOrderFaults } from '../orders/consistency/records.ts'
import { findRefundTotalDifferences } from '../payments/refunds/records.ts'
import { compareQuotas } from '../signup/requests/consistency/records.ts'
import { findVoucherFaults } from '../vouchers/consistency/records.ts'
import { findAccountIds, findMovingAccountIds } from './records.ts'

/** Whose it is and what it is about; the rest is told by the room that found it. */
export interface Inconsistency {
  accountId: number
  what: string
}

/** Recomputes all that is kept beside its rows, over all accounts. Nothing to tell is the only good answer. */
export const checkConsistency = async (app: App): Promise<Inconsistency[]> => {
  const findings: Inconsistency[] = []
  for (const server of appsOfShards(app)) findings.push(...(await checkServer(server)))
  return findings
}

const checkServer = async (app: App): Promise<Inconsistency[]> => {
  const findings: Inconsistency[] = await checkInventories(app.database)
  const elsewhere: number[] = []
  // One account after the other: an audit may take its time, the connections are for those who wait.
  for (const accountId of await findAccountIds(app.database)) {
    if (appOf(app, accountId).database !== app.database) {
      elsewhere.push(accountId)
      continue
    }
    const account = openRowsForJob(app, accountId)
    const quotas = await compareQuotas(account)
    const faults = await findVoucherFaults(account)
    const uploads = await compareUploadTotal(account)
    const refunds = await findRefundTotalDifferences(account)
    const orders = await findOrderFaults(account)
    const entries = await findEntryMismatches(account)
    findings.push(...entries.map((each) => ({ accountId, what: 'entries', ...each })))
    findings.push(...orders.map((each) => ({ accountId, what: 'orders', ...each })))
    findings.push(...quotas.map((each) => ({ accountId, what: 'signup link', ...each })))
    findings.push(...uploads.map((each) => ({ accountId, what: 'uploads', ...each })))
    findings.push(...refunds.map((each) => ({ accountId, what: 'payment', ...each })))
    findings.push(...faults.map((each) => ({ accountId, what: 'vouchers', ...each })))
  }
  findings.push(
    ...(await findLeftBehind(app, elsewhere)).map((accountId) => ({ accountId, what: 'left behind by a move' })),
  )
  return findings
}

/** In this order: a move that is over by the time it is asked for has taken away what it left before. */
const findLeftBehind = async (app: App, elsewhere: readonly number[]): Promise<number[]> => {
  if (elsewhere.length === 0) return []
  const moving = new Set(await findMovingAccountIds(directoryOf(app)))
  const still = new Set(await findAccountIds(app.database))
  const left = elsewhere.filter((accountId) => !moving.has(accountId) && still.has(accountId))
  const homes = await Promise.all(left.map((accountId) => locateAppOf(app, accountId)))
  return left.filter((_, n) => homes[n]!.database !== app.database)
}
