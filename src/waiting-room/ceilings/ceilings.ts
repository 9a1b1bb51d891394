import type { AccountScope, Tx } from '../../access/scopes.ts'
import { SECOND_MS } from '../../kernel/durations.ts'
import { TooManyRequests } from '../../kernel/refusals.ts'
import { type OpenCheckouts, countOpenCheckouts } from './records.ts'

/** Many people share the address of a network, and among them some the kind of their browser. */
export const OPEN_CHECKOUTS_PER_ADDRESS_MAX = 25
export const OPEN_CHECKOUTS_PER_BROWSER_MAX = 10

/** Who begins a checkout, as far as that can be told without a cookie. Neither can be read back. */
export interface BuyerDigests {
  addressDigest: Buffer
  browserDigest: Buffer
}

export const buyerDigestsOf = (
  { app, account }: AccountScope,
  { ip, userAgent }: { ip: string; userAgent: string | null },
): BuyerDigests => ({
  addressDigest: app.secrets.sign('addresses of buyers', `${account.id}/${ip}`),
  browserDigest: app.secrets.sign('browsers of buyers', `${account.id}/${ip}/${userAgent ?? ''}`),
})

/**
 * In the transaction that begins the checkouts, before anything is claimed: whom a ceiling refuses, in their order, each
 * counting those before it. Whoever is counted at the same time elsewhere waits until this one has ended.
 */
export const refusalsBeyondCheckoutLimits = async (
  tx: Tx,
  buyers: readonly BuyerDigests[],
): Promise<(TooManyRequests | null)[]> => {
  const open = await countOpenCheckouts(
    tx,
    buyers.map(({ addressDigest }) => addressDigest),
  )
  const counts = new Map<string, number>()
  const add = (key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count)
  for (const { address, browser, checkouts } of open) {
    add(address.toString('hex'), checkouts)
    if (browser) add(browser.toString('hex'), checkouts)
  }
  return buyers.map(({ addressDigest, browserDigest }) => {
    const [address, browser] = [addressDigest.toString('hex'), browserDigest.toString('hex')]
    const isBeyond =
      (counts.get(address) ?? 0) >= OPEN_CHECKOUTS_PER_ADDRESS_MAX ||
      (counts.get(browser) ?? 0) >= OPEN_CHECKOUTS_PER_BROWSER_MAX
    if (isBeyond) {
      return tooMany(open.filter((each) => each.address.equals(addressDigest)))
    }
    add(address, 1)
    add(browser, 1)
    return null
  })
}

const WAIT_MS = 30 * SECOND_MS

/** Sooner than the first of them ends nothing changes, unless somebody pays or gives back. */
const tooMany = (open: readonly OpenCheckouts[]) => {
  const waits = open.map(({ firstEndsAt, now }) => firstEndsAt.getTime() - now.getTime())
  const waitMs = Math.max(SECOND_MS, Math.min(WAIT_MS, ...waits))
  return new TooManyRequests(
    waitMs,
    'Too many purchases are under way from here. Finish or cancel one of them, or try again in a moment',
  )
}
