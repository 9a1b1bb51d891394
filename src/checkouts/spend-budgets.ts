import type { ShopScope } from '../access/access.ts'

/** Far beyond what buyers behind one café's network ask for; only floods and guesses meet them. */
const NEW_CHECKOUTS_PER_MINUTE = 120
const ASKS_IN_LINE_PER_MINUTE = 1_200
const VOUCHER_CODES_PER_MINUTE = 20

/** Whoever stands in line asks again and again, and is answered by a look. */
export const spendAskForCheckout = ({ app }: ShopScope, ip: string, queueToken: string | null): void => {
  if (queueToken === null) app.budgets.of('checkouts from an address', NEW_CHECKOUTS_PER_MINUTE).spend(ip)
  else app.budgets.of('asks in line from an address', ASKS_IN_LINE_PER_MINUTE).spend(ip)
}

export const spendVoucherCode = async ({ app }: ShopScope, ip: string): Promise<void> => {
  await app.budgets.shared('voucher codes at a shop from an address', VOUCHER_CODES_PER_MINUTE).spend(ip)
}
