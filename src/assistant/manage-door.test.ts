import { expect, test } from 'vitest'
import { everythingOf, openAssistant } from '../../test/kit/venue/assistant.ts'
import { openWinterBall } from '../../test/kit/venue/winter-ball.ts'

const confirmed = true

test('an assistant finds a guest at the door, lets them in once, and reads the figures', async () => {
  const ball = await openWinterBall()
  const { does, fails } = await openAssistant(ball, ball.report.api_tokens['office write']!)
  const party = await ball.party({ customer_name: 'Zoë Lindqvist', party_size: 2, staff_note: 'Side entrance' })

  expect(await does('manage_door', { action: 'events' })).toMatchObject({
    events: [{ slug: 'winter-ball' }, {}, {}],
  })
  const { tickets, count } = await does('manage_door', { action: 'search', query: 'lindqvist' })
  expect(count).toBe(2)
  expect(tickets[0]).toMatchObject({ buyer_name: 'Zoë Lindqvist', staff_note: 'Side entrance', redeemable: true })

  const redeem = { action: 'redeem', event_title: 'Winter Ball', ticket_id: party.admissions[0].check_in_code }
  const before = await everythingOf(ball)
  expect(await does('manage_door', redeem)).toMatchObject({ dry_run: true, now: { redeemed: false, redeemable: true } })
  expect(await everythingOf(ball)).toEqual(before)
  expect(await does('manage_door', { ...redeem, confirmed })).toMatchObject({ redeemed: true })
  expect(await fails('manage_door', { ...redeem, confirmed })).toMatchObject({
    status: 422,
    errors: { base: ['Already redeemed'] },
    ticket: { redeemed: true },
  })

  const stats = await does('manage_door', { action: 'stats', event_title: 'winter-ball' })
  expect(stats).toEqual((await ball.office.get('/scanner/events/winter-ball/stats')).body)
})

test('a ticket of another event, a read token and an unknown code let nobody in', async () => {
  const ball = await openWinterBall()
  const writer = await openAssistant(ball, ball.report.api_tokens['office write']!)
  const reader = await openAssistant(ball, ball.report.api_tokens['office read']!)
  const {
    admissions: [{ public_id }],
  } = await ball.party()
  const before = await ball.standing()
  const redeem = { action: 'redeem', event_title: 'Winter Ball', ticket_id: public_id, confirmed }

  expect(await reader.fails('manage_door', redeem)).toMatchObject({ status: 401 })
  expect(await writer.fails('manage_door', { ...redeem, event_title: 'Spring Night' })).toMatchObject({ status: 404 })
  expect(await writer.fails('manage_door', { ...redeem, ticket_id: 'ABCDEFGH' })).toMatchObject({ status: 404 })
  expect(await writer.fails('manage_door', { action: 'search' })).toMatchObject({
    errors: { query: ["can't be blank"] },
  })
  expect(await ball.standing()).toEqual(before)
})
