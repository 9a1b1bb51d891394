import { afterEach, expect, test } from 'vitest'
import { closeGate, openSecondServer, withoutLocks } from '../kit/database/second-server.ts'
import { openPhone, openWallets } from '../kit/venue/wallet.ts'
import { openWinterBall } from '../kit/venue/winter-ball.ts'

/*
 * A phone registers while a seat moves. It stands at a gate inside its transaction, the move is made and told, and then it
 * goes on: whoever comes second must see the other. Held twice, with the lock of the pass and without it.
 */

const wallets = await openWallets()
const TYPE = 'pass.example.foyer'
let tidy: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const each of tidy.toReversed()) await each()
  tidy = []
})

/** Whether the phone was told of the new seat once all is done, apart from the second look some time later. */
const registerDuringMove = async (isGuarded: boolean) => {
  const ball = await openWinterBall()
  const { pool } = ball.app.database
  const [item] = (await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-1']] }))
    .admissions
  const server = await openSecondServer(ball.app, isGuarded ? undefined : withoutLocks)
  tidy.push(server.close)
  const phone = openPhone(server.origin)
  const held = await phone.download(wallets.linksOf(ball.accountId, item.public_id).apple)

  const gate = await closeGate(pool, 'wallet_registrations')
  const registering = phone.register(held)
  await gate.waiting(1, registering)
  const moved = await ball.office.post(`/admin/order_items/${item.public_id}/seat_exchange`, {
    seat_exchange: { event_place_id: ball.places['A-4'] },
  })
  expect(moved.status).toBe(200)
  // With the lock the job waits for the phone; without it the job finds nobody to tell, and is done.
  const telling = ball.workOffJobs()
  await gate.waiting(2, telling)
  await gate.open()
  expect((await registering).status).toBe(201)
  await telling
  await pool.query(`delete from lane_jobs where lane = 'wallet' and state = 'later' and account_id = $1`, [
    ball.accountId,
  ])
  await ball.workOffJobs()
  const pushes = wallets.apns.pushesTo(phone.pushToken).length
  if (pushes > 0) {
    await phone.hearPush(TYPE)
    expect(phone.shown.fields['place']).toBe('Row A Seat 4')
  }
  return pushes > 0
}

test('a phone that registers while its seat moves is told of the move', { timeout: 60_000 }, async () => {
  expect(await registerDuringMove(true)).toBe(true)
})

test('without the lock of the pass it would not be', { timeout: 60_000 }, async () => {
  expect(await registerDuringMove(false)).toBe(false)
})
