import { beforeAll, expect, test } from 'vitest'
import { newGuest, openSignups } from '../../../test/kit/venue/signups.ts'
import { openBudgets } from '../../access/budgets.ts'
import { theApp } from '../../../test/kit/venue/venue.ts'

/** Elsewhere the tests run without limits, so that they can be quick; here they are what it is about. */
beforeAll(async () => {
  const { app } = await theApp()
  Object.assign(app.settings, { rateLimits: true })
})

test('an address is told once in a few minutes that it is signed up already, after the mail of its first signup', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const [guest, added] = [newGuest(), newGuest()]
  await ball.party({ delivery_email: added })
  for (let n = 0; n < 4; n++) {
    await ball.submit(public_url, { email: guest })
    expect((await ball.submit(public_url, { email: added })).body).toEqual({ status: 'already_signed_up' })
  }
  expect(await ball.mailsTo(guest)).toHaveLength(2)
  expect(await ball.mailsTo(added)).toHaveLength(2)

  await ball.moveClock('6 minutes')
  await ball.submit(public_url, { email: guest })
  expect(await ball.mailsTo(guest)).toHaveLength(3)
})

test('tickets are sent again once a minute, and who asks sooner is told kindly', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const email = newGuest()
  await ball.submit(public_url, { email })
  await ball.approve(await ball.requestOf(email))
  const page = await ball.ownPage(email)

  const resend = async () => (await ball.sendForm(`${page}/resend`, [])).headers.get('location')!
  expect(await resend()).toContain('done=sent')
  const again = await resend()
  expect(again).toContain('done=soon')
  expect((await ball.visit(again)).text).toContain('less than a minute ago')
  expect((await ball.sendJson(`${page}/resend`, {})).status).toBe(200)
  expect(await ball.ticketMailsTo(email)).toHaveLength(2)

  await ball.moveClock('2 minutes')
  expect(await resend()).toContain('done=sent')
  expect(await ball.ticketMailsTo(email)).toHaveLength(3)
})

test('a flood of submissions or of guessed addresses is turned away, on a page', async () => {
  const ball = await openSignups()
  const { app } = await theApp()
  // In a moment that does not pass, no budget of this process fills up again.
  const clock = { now: () => new Date(0) }
  const fresh = () => Object.assign(app, { budgets: openBudgets({ isEnabled: true, clock, database: app.database }) })
  const { public_url } = await ball.link()
  fresh()
  // The database's clock goes on, and two come back every second.
  let refused = await ball.visit('/guest_list/guess')
  for (let n = 0; n < 600 && refused.status === 404; n++) refused = await ball.visit(`/guest_list/guess${n}`)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(refused.text).toContain('Too many requests')
  // Whoever has a right address is shown its page, whatever others tried from the same network.
  expect((await ball.visit(public_url)).status).toBe(200)

  fresh()
  for (let n = 0; n < 300; n++) await ball.submit(public_url, { email: 'nobody' })
  expect((await ball.submit(public_url, { email: newGuest() })).status).toBe(429)
  expect((await ball.visit(public_url)).status).toBe(200)
}, 60_000)
