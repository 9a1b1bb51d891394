import { expect, test } from 'vitest'
import { openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import { openRowsForJob } from '../access/job-scope.ts'
import { newCode } from '../kernel/public-ids.ts'
import { type NewOrder, issueOrder } from './issue-order.ts'
import { NO_BILLING } from './rules.ts'

test('a code that is in use is drawn again, and nothing is taken twice', async () => {
  const ball = await openWinterBall()
  const party = await ball.party()
  const order: NewOrder = {
    eventId: ball.eventId,
    origin: 'guest_list',
    status: 'paid',
    customerName: 'Ada',
    deliveryEmail: null,
    deliversToCreator: false,
    staffNote: null,
    customerPhone: null,
    customerCompany: null,
    billing: NO_BILLING,
    answers: {},
    creator: null,
    ticket: { id: ball.tickets['ga']!, title: 'General admission' },
    standingArea: null,
    places: [],
    admissions: [{ isLead: true, attendeeName: null, answers: {} }],
  }
  const draw = (codes: string[]) => () => codes.shift() ?? newCode()
  const rows = openRowsForJob(ball.app, ball.accountId)

  const orderCodeUsed = await issueOrder(rows, order, draw([party.order_code]))
  const checkInCodeUsed = await issueOrder(rows, order, draw([newCode(), party.admissions[0].check_in_code]))
  expect(orderCodeUsed.order?.orderCode).not.toBe(party.order_code)
  expect(checkInCodeUsed.order?.admissions[0]?.checkInCode).not.toBe(party.admissions[0].check_in_code)
  expect((await ball.guestList()).admission_count).toBe(3)
  await expect(issueOrder(rows, order, () => party.order_code)).rejects.toThrow('No unused code was drawn')
})
