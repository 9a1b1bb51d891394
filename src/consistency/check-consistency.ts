import type { App } from '../access/app.ts'
import { openRowsForJob } from '../access/job-scope.ts'
import { appOf, appsOfShards } from '../access/shards.ts'
import { findEntryMismatches } from '../door/attempts/ended/records.ts'
import { compareUploadTotal } from '../files/records.ts'
import { checkInventories } from '../inventory/consistency/check-inventories.ts'
import { findOrderFaults } from '../orders/consistency/records.ts'
import { findRefundTotalDifferences } from '../payments/refunds/records.ts'
import { type Servers, openServers } from '../shards/move-account.ts'
import { findMove, findShardOf, hasAccount, tryLockMove, unlockMove } from '../shards/records.ts'
import { compareQuotas } from '../signup/requests/consistency/records.ts'
import { findVoucherFaults } from '../vouchers/consistency/records.ts'
import { findAccountIds } from './records.ts'

/** Whose it is and what it is about; the rest is told by the room that found it. */
export interface Inconsistency {
  accountId: number
  what: string
}

/** Recomputes all that is kept beside its rows, over all accounts. Nothing to tell is the only good answer. */
export const checkConsistency = async (app: App): Promise<Inconsistency[]> => {
  const servers = appsOfShards(app)
  const seen = new Set<number>()
  const findings: Inconsistency[] = []
  for (const server of servers) {
    const accountIds = await findAccountIds(server.database)
    findings.push(...(await checkInventories(server.database)))
    for (const accountId of unseenAtHome(server, accountIds, seen)) {
      findings.push(...(await checkAccount(server, accountId)))
    }
  }
  if (servers.length > 1) {
    findings.push(...(await checkMissed(servers, seen)))
    findings.push(...(await findLeftBehind(app)))
  }
  return findings
}

/** Those that live on this server, one after the other: an audit may take its time, the connections are for those who wait. */
function* unseenAtHome(app: App, accountIds: readonly number[], seen: Set<number>) {
  for (const accountId of accountIds) {
    if (seen.has(accountId) || appOf(app, accountId).database !== app.database) continue
    seen.add(accountId)
    yield accountId
  }
}

/** An account that moved meanwhile may have been on none of the servers when that one was looked at. */
const checkMissed = async (servers: readonly App[], seen: Set<number>): Promise<Inconsistency[]> => {
  const findings: Inconsistency[] = []
  for (const server of servers) {
    for (const accountId of unseenAtHome(server, await findAccountIds(server.database), seen)) {
      findings.push(...(await checkInventories(server.database, accountId)), ...(await checkAccount(server, accountId)))
    }
  }
  return findings
}

const checkAccount = async (app: App, accountId: number): Promise<Inconsistency[]> => {
  const account = openRowsForJob(app, accountId)
  const quotas = await compareQuotas(account)
  const faults = await findVoucherFaults(account)
  const uploads = await compareUploadTotal(account)
  const refunds = await findRefundTotalDifferences(account)
  const orders = await findOrderFaults(account)
  const entries = await findEntryMismatches(account)
  return [
    ...entries.map((each) => ({ accountId, what: 'entries', ...each })),
    ...orders.map((each) => ({ accountId, what: 'orders', ...each })),
    ...quotas.map((each) => ({ accountId, what: 'signup link', ...each })),
    ...uploads.map((each) => ({ accountId, what: 'uploads', ...each })),
    ...refunds.map((each) => ({ accountId, what: 'payment', ...each })),
    ...faults.map((each) => ({ accountId, what: 'vouchers', ...each })),
  ]
}

/** Rows of accounts that live elsewhere, and are not on their way either. */
const findLeftBehind = async (app: App): Promise<Inconsistency[]> => {
  const { all } = app.shards!
  const servers = openServers(all)
  const findings: Inconsistency[] = []
  try {
    for (const { name, database } of all) {
      for (const accountId of await findAccountIds(database)) {
        if (app.shards!.map.of(accountId).name === name) continue
        if (await isLeftBehind(servers, name, accountId)) findings.push({ accountId, what: 'left behind by a move' })
      }
    }
    return findings
  } finally {
    await servers.close()
  }
}

/** Nobody moves it while it is asked for; who moves it just now, or will clear up after a mover that was killed, leaves nothing. */
const isLeftBehind = async (servers: Servers, name: string, accountId: number): Promise<boolean> => {
  const directory = await servers.directory()
  if (!(await tryLockMove(directory, accountId))) return false
  try {
    if (await findMove(directory, accountId)) return false
    if ((await findShardOf(directory, accountId)) === name) return false
    return await hasAccount(await servers.on(name), accountId)
  } finally {
    await unlockMove(directory, accountId)
  }
}
