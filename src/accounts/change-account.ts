import type { CallerScope, Tx } from '../access/scopes.ts'
import { isReservedHostName } from '../access/shop-address.ts'
import { computeChange } from '../definitions/change.ts'
import { readTransactionTime } from '../definitions/records.ts'
import { TAKEN_MESSAGE } from '../kernel/messages.ts'
import { minorDigitsOf } from '../kernel/money.ts'
import { requireFound, refuseUnless } from '../kernel/refusals.ts'
import { accountDefinition } from './definitions.ts'
import {
  type StoredAccount,
  deleteShopHosts,
  findAccount,
  claimShopHosts,
  isCurrencyInUse,
  lockAccount,
  rescalePrices,
  updateAccount,
} from './records.ts'
import type { AccountChangesInput } from './wire.ts'

/** Changes what was sent and keeps the rest; what changes nothing is no change. */
export const changeAccount = (scope: CallerScope, sent: AccountChangesInput): Promise<StoredAccount> =>
  scope.transaction(async (tx) => {
    await lockAccount(tx)
    const account = requireFound(await findAccount(tx))
    const { columns, keys } = computeChange(accountDefinition, account, sent, await readTransactionTime(tx))
    if (keys.includes('currency')) {
      refuseUnless(!(await isCurrencyInUse(tx)), { currency: ["can't be changed once there are orders or vouchers"] })
      const shift = minorDigitsOf(sent.currency!) - minorDigitsOf(account.thing.currency)
      // What prices say stays, in as many decimals as the other currency has.
      refuseUnless(shift === 0 || (await rescalePrices(tx, shift)), {
        currency: ["can't be changed: there are prices with more decimals than it has"],
      })
    }
    if (keys.includes('custom_domains'))
      await replaceHosts(scope, tx, account.thing.custom_domains, sent.custom_domains!)
    if (keys.length > 0) await updateAccount(tx, columns)
    return requireFound(await findAccount(tx))
  })

const replaceHosts = async (scope: CallerScope, tx: Tx, before: string[], after: string[]) => {
  const added = after.filter((host) => !before.includes(host))
  refuseUnless(!added.some((host) => isReservedHostName(scope.app, host)), {
    custom_domains: ['is an address of Foyer itself'],
  })
  await deleteShopHosts(
    tx,
    before.filter((host) => !after.includes(host)),
  )
  const free = await claimShopHosts(tx, added)
  refuseUnless(
    added.every((host) => free.has(host)),
    { custom_domains: [TAKEN_MESSAGE] },
  )
}
