import { expect, test } from 'vitest'
import { type When, whileEventIsLocked, withoutOrdersOf } from '../../../test/kit/database/held-events.ts'
import { type Signups, newGuest, openSignups } from '../../../test/kit/venue/signups.ts'

const NO_ROOM = { base: ['Not enough places available'] }
const ACTION = 'POST /admin/events/:event_slug/guest_requests/:public_id/approval'

// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

const signUp = async (ball: Signups, link: { public_url: string }, count: number, fields: object = {}) => {
  const emails = Array.from({ length: count }, newGuest)
  for (const email of emails) await ball.submit(link.public_url, { email, ...fields })
  return Promise.all(emails.map((email) => ball.requestOf(email)))
}

const noted = async ({ app, accountId }: Signups): Promise<string[]> => {
  const { rows } = await app.database.pool.query(
    `select subject->>'public_id' as id from audit_entries where account_id = $1 and action = $2`,
    [accountId, ACTION],
  )
  return rows.map(({ id }) => id).toSorted()
}

/** The parties whose tickets are about to be sent, each as often as that. */
const mailedParties = async (ball: Signups): Promise<string[]> => {
  const ids = (await ball.queuedMails()).filter(({ reason }) => reason === 'issued').map(({ order_id }) => order_id)
  const { rows } = await ball.app.database.pool.query(
    'select o.public_id as id from orders o join unnest($2::bigint[]) as given (id) using (id) where o.account_id = $1',
    [ball.accountId, ids],
  )
  return rows.map(({ id }) => id).toSorted()
}

test('approvals that arrive together share what is left, and each is answered and noted by itself', async () => {
  const ball = await openSignups((event) => {
    event['tickets'][0].stock = 10
  })
  const { pool } = ball.app.database
  const [narrow, wide] = [await ball.link({ capacity: 5 }), await ball.link({ max_companions: 3 })]
  const requests: Shown[] = [...(await signUp(ball, narrow, 7)), ...(await signUp(ball, wide, 6))]
  const [inside, rejected]: Shown[] = await signUp(ball, wide, 2)
  await ball.approve(inside)
  await ball.sendJson(`${await ball.ownPage(inside.email)}/companions`, { guest_addition: { companions: 2 } })
  await ball.reject(rejected)
  const before = await noted(ball)

  const approve = (request: { public_id: string }) => ball.approve(request)
  const replies = await whileEventIsLocked(pool, ball, () => [
    ...requests.map(approve),
    approve(requests[0]),
    approve(inside),
    approve(inside),
    approve(rejected),
    approve({ public_id: 'nobody' }),
  ])
  const [again, added, addedAgain, tooLate, nobody] = replies.splice(requests.length)
  expect(tooLate).toRefuse(422, { base: ['This request has already been reviewed'] })
  expect(nobody).toRefuse(404)
  expect([again.status, again.body]).toEqual([replies[0]!.status, replies[0]!.body])
  expect([addedAgain.status, addedAgain.body]).toEqual([added.status, added.body])

  const approved = replies.flatMap(({ status, body }) => (status === 200 ? [body] : []))
  for (const reply of replies) if (reply.status !== 200) expect(reply).toRefuse(422, NO_ROOM)
  const extra = added.status === 200 ? added.body.additions[0].companions : 0
  // The first guest was in before; whatever the order, no place is left over and none is given twice.
  expect(1 + approved.length + extra).toBe(10)
  const forms: Shown[] = (await ball.office.get(ball.forms)).body.forms
  expect(forms[0].admission_count).toBeLessThanOrEqual(5)
  expect(forms.map(({ admission_count }) => admission_count).reduce((a, b) => a + b)).toBe(10)
  expect(await ball.option('ga')).toMatchObject({ available_stock: 0 })

  for (const [n, { status, body }] of replies.entries()) {
    const request = await ball.requestOf(requests[n].email)
    expect(request).toEqual(status === 200 ? body : requests[n])
  }
  expect(new Set(approved.map(({ order_public_id }) => order_public_id)).size).toBe(approved.length)
  expect(await mailedParties(ball)).toEqual(
    [...approved, ...(extra > 0 ? added.body.additions : [])].map(({ order_public_id: id }) => id).toSorted(),
  )
  for (const { public_id } of approved) expect(await noted(ball)).toContain(public_id)
  const refused = requests.filter((_, n) => replies[n]!.status !== 200).map(({ public_id }) => public_id)
  for (const id of [...refused, rejected.public_id]) expect(await noted(ball)).not.toContain(id)
  expect(before).toEqual([inside.public_id])
}, 30_000)

test.for<When>(['at once', 'at the commit'])(
  'an approval that the database will not have, %s, harms nobody who is approved with it',
  async (when) => {
    const ball = await openSignups()
    const { pool } = ball.app.database
    const link = await ball.link({ max_companions: 1 })
    const requests: Shown[] = [
      ...(await signUp(ball, link, 5, { companions: 1 })),
      ...(await signUp(ball, link, 1, { name: 'Mallory' })),
      ...(await signUp(ball, link, 4)),
    ]
    const asked = await withoutOrdersOf(pool, { name: 'Mallory', when }, async () => {
      const replies = await whileEventIsLocked(pool, ball, () => requests.map((request) => ball.approve(request)))
      expect(replies.map(({ status }) => status)).toEqual(requests.map((_, n) => (n === 5 ? 500 : 200)))
      for (const [n, request] of requests.entries()) {
        expect(await ball.requestOf(request.email)).toEqual(n === 5 ? request : replies[n]!.body)
        expect(await ball.ticketMailsTo(request.email)).toHaveLength(n === 5 ? 0 : 1)
      }
    })
    expect(asked).toBeGreaterThan(requests.length)
    expect(await noted(ball)).toEqual(
      requests
        .filter((_, n) => n !== 5)
        .map(({ public_id }) => public_id)
        .toSorted(),
    )
    expect((await ball.office.get(ball.forms)).body.forms[0].admission_count).toBe(14)
    expect((await ball.approve(requests[5])).status).toBe(200)
  },
)
