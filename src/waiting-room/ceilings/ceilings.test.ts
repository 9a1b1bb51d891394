import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { type OpenSale, openSale } from '../../../test/kit/venue/sale.ts'
import { race } from '../../../test/kit/race.ts'
import type { Tx } from '../../access/scopes.ts'
import {
  type BuyerDigests,
  OPEN_CHECKOUTS_PER_ADDRESS_MAX,
  OPEN_CHECKOUTS_PER_BROWSER_MAX,
  buyerDigestsOf,
  refusalsBeyondCheckoutLimits,
} from './ceilings.ts'

const insert = (tx: Tx, sale: OpenSale, buyer: BuyerDigests) =>
  sale.app.database.kysely
    .insertInto('checkouts')
    .values({
      account_id: tx.accountId,
      public_id: randomBytes(8).toString('hex'),
      token_digest: randomBytes(32),
      token_sealed: randomBytes(32),
      event_id: sale.eventId,
      expires_at: new Date(sale.app.clock.now().getTime() + 900_000),
      address_digest: buyer.addressDigest,
      browser_digest: buyer.browserDigest,
    })
    .compile()

/** Begins a checkout as the shop does: counted and written in one transaction. */
const begin = (sale: OpenSale, { ip = '192.0.2.7', userAgent = 'Firefox' } = {}) =>
  sale.shop.transaction(async (tx) => {
    const buyer = buyerDigestsOf(sale.shop, { ip, userAgent })
    const [refused] = await refusalsBeyondCheckoutLimits(tx, [buyer])
    if (!refused) await tx.db.executeQuery(insert(tx, sale, buyer))
    return refused ?? null
  })

test('a browser, and an address, may have so many checkouts under way; others are not kept from theirs', async () => {
  const sale = await openSale({ stock: 100 })
  for (let n = 0; n < OPEN_CHECKOUTS_PER_BROWSER_MAX; n++) expect(await begin(sale)).toBeNull()
  const refused = await begin(sale)
  expect(refused).toMatchObject({ status: 429, retryAfterSeconds: 30 })
  expect(refused!.message).toContain('Too many purchases are under way from here')

  expect(await begin(sale, { ip: '192.0.2.8' })).toBeNull()
  const others = OPEN_CHECKOUTS_PER_ADDRESS_MAX - OPEN_CHECKOUTS_PER_BROWSER_MAX
  for (let n = 0; n < others; n++) expect(await begin(sale, { userAgent: `Browser ${n}` })).toBeNull()
  expect(await begin(sale, { userAgent: 'One more' })).toMatchObject({ status: 429 })
  expect(await begin(await openSale({ stock: 100 }))).toBeNull()
})

test('what has ended, was paid or given back counts no more', async () => {
  const sale = await openSale({ stock: 100 })
  for (let n = 0; n < OPEN_CHECKOUTS_PER_BROWSER_MAX; n++) await begin(sale)
  await sale.app.database.pool.query(
    `update checkouts set status = 'cancelled' where account_id = $1 and id = (select min(id) from checkouts where account_id = $1)`,
    [sale.accountId],
  )
  expect(await begin(sale)).toBeNull()
  expect(await begin(sale)).toMatchObject({ status: 429 })
  await sale.moveClock('16 minutes')
  expect(await begin(sale)).toBeNull()
})

test('many at once get no more than one after the other', async () => {
  const sale = await openSale({ stock: 100 })
  const outcomes: (object | null)[] = []
  await race(40, async () => outcomes.push(await begin(sale)))
  expect(outcomes.filter((each) => each === null)).toHaveLength(OPEN_CHECKOUTS_PER_BROWSER_MAX)
})

test('several who begin together are counted one after the other', async () => {
  const sale = await openSale({ stock: 100 })
  const buyer = buyerDigestsOf(sale.shop, { ip: '192.0.2.9', userAgent: null })
  const refused = await sale.shop.transaction((tx) =>
    refusalsBeyondCheckoutLimits(
      tx,
      Array.from({ length: 12 }, () => buyer),
    ),
  )
  expect(refused.map((each) => each !== null)).toEqual(
    Array.from({ length: 12 }, (_, n) => n >= OPEN_CHECKOUTS_PER_BROWSER_MAX),
  )
})
