import { beforeEach, expect, test } from 'vitest'
import { readJwt } from '../../test/kit/network/google-listener.ts'
import { openWallets } from '../../test/kit/venue/wallet.ts'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'

const wallets = await openWallets()
const { google } = wallets

beforeEach(() => {
  google.heard.length = 0
  google.status = 200
})

const follow = async (ball: WinterBall, item: { public_id: string }) => {
  const link = wallets.linksOf(ball.accountId, item.public_id).google
  const answer = await fetch(ball.origin + link, { redirect: 'manual' })
  expect(answer.status).toBe(303)
  const location = answer.headers.get('location')!
  expect(location).toMatch(/^https:\/\/pay\.google\.com\/gp\/v\/save\//)
  const token = location.split('/').at(-1)!
  return { token, claims: readJwt(token, google.publicKey) }
}

test('the link is signed for Google and brings the event as a class and the ticket as an object', async () => {
  const ball = await openWinterBall()
  const { admissions } = await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-1']] })
  const { token, claims } = await follow(ball, admissions[0])
  expect(claims).toMatchObject({ iss: 'foyer@tests.example', aud: 'google', typ: 'savetowallet' })
  const brought = claims.payload.eventTicketObjects[0]
  const object = google.kept.get(`eventTicketObject ${brought.id}`) ?? brought
  const known = google.kept.get(`eventTicketClass ${brought.classId}`) ?? claims.payload.eventTicketClasses[0]
  expect(known).toMatchObject({
    id: expect.stringMatching(/^3388000000000000001\.foyer-event-[0-9a-f]{32}$/),
    eventName: { defaultValue: { value: 'Winter Ball' } },
    reviewStatus: 'UNDER_REVIEW',
  })
  expect(object).toMatchObject({
    id: expect.stringMatching(/^3388000000000000001\.foyer-admission-[0-9a-f]{32}$/),
    classId: known.id,
    state: 'ACTIVE',
    ticketHolderName: 'Ada Lovelace',
    barcode: { type: 'QR_CODE', value: admissions[0].public_id },
  })
  expect(object.validTimeInterval.end.date).toMatch(/^\d{4}-/)
  expect(token.length).toBeLessThanOrEqual(1_800)
})

test('a long title makes no long link, and without Google the long link is better than none', async () => {
  const ball = await openWinterBall((event) => {
    event['title'] = 'A ball of so many words that no link could ever hold them '.repeat(4).trim()
  })
  const { admissions } = await ball.party()
  const { token, claims } = await follow(ball, admissions[0])
  expect(token.length).toBeLessThanOrEqual(1_800)
  const [object] = claims.payload.eventTicketObjects
  expect(Object.keys(object).toSorted()).toEqual(['classId', 'id'])
  expect(google.kept.get(`eventTicketObject ${object.id}`)).toMatchObject({ state: 'ACTIVE' })
  expect(google.calls('POST', 'Class')).toHaveLength(1)

  google.status = 500
  const other = (await ball.party()).admissions[0]
  expect((await follow(ball, other)).claims.payload.eventTicketClasses).toHaveLength(1)
})

test('after a change the object is told, and the class once for all of its passes', async () => {
  const ball = await openWinterBall()
  const { admissions } = await ball.party({ party_size: 3 })
  for (const admission of admissions) await follow(ball, admission)
  google.heard.length = 0
  await ball.office.patch(ball.path, { event: { title: 'Great Ball' } })
  await ball.workOffJobs()
  const classes = [...google.calls('PATCH', 'Class'), ...google.calls('POST', 'Class')]
  expect(new Set(classes.map(({ body }) => body.eventName.defaultValue.value))).toEqual(new Set(['Great Ball']))
  expect(google.calls('PATCH', 'Class')).toHaveLength(1)
  expect(google.calls('PATCH', 'Object')).toHaveLength(3)
  for (const { path } of google.heard) expect(path).toMatch(/^\/(token|walletobjects\/v1\/eventTicket)/)

  google.heard.length = 0
  await ball.door.post(`/scanner/tickets/${admissions[1].public_id}/redemption`)
  await ball.workOffJobs()
  expect(google.calls('PATCH', 'Class')).toEqual([])
  expect(google.calls('PATCH', 'Object')).toMatchObject([{ body: { state: 'COMPLETED' } }])

  google.heard.length = 0
  await ball.office.post(`${ball.path}/cancellation`, {})
  await ball.workOffJobs()
  expect(google.calls('PATCH', 'Object').map(({ body }) => [body.state, body.barcode])).toEqual(
    Array.from({ length: 3 }, () => ['INACTIVE', null]),
  )
})

test('a Google that is busy or broken is told later, and nothing is lost', async () => {
  const ball = await openWinterBall()
  const { pool } = ball.app.database
  const party = await ball.party()
  await follow(ball, party.admissions[0])
  for (const status of [429, 500]) {
    google.status = status
    google.heard.length = 0
    await ball.office.patch(ball.partyPath(party), { guest_party: { customer_name: `Ada ${status}` } })
    await ball.workOffJobs()
    google.status = 200
    const { rows } = await pool.query(
      `update lane_jobs set run_at = clock_timestamp() where lane = 'wallet' and state = 'later' and account_id = $1
       returning attempts`,
      [ball.accountId],
    )
    expect(rows).toHaveLength(1)
    google.heard.length = 0
    await ball.workOffJobs()
    const told = [...google.calls('PATCH', 'Object'), ...google.calls('POST', 'Object')]
    expect(told.at(-1)).toMatchObject({ body: { ticketHolderName: `Ada ${status}` } })
  }
})

test('a pass is expired once its event is over', async () => {
  const ball = await openWinterBall()
  const party = await ball.party()
  await follow(ball, party.admissions[0])
  await ball.moveClock('3650 days')
  google.heard.length = 0
  await ball.app.database.pool.query('update orders set customer_name = $2 where public_id = $1', [
    party.public_id,
    'Late',
  ])
  await ball.workOffJobs()
  expect(google.calls('PATCH', 'Object').at(-1)?.body.state).toBe('EXPIRED')
  await ball.moveClock('0 days')
})
