import { expect, test } from 'vitest'
import { type When, withoutOrdersOf } from '../../../test/kit/database/held-events.ts'
import { type Signups, newGuest, openSignups } from '../../../test/kit/venue/signups.ts'

const NO_ROOM = 'Not enough places available'
const ACTION = 'POST /admin/events/:event_slug/guest_requests/approvals'

// A test names the fields it is about.
// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

const signUp = async (ball: Signups, link: { public_url: string }, count: number, fields: object = {}) => {
  const emails = Array.from({ length: count }, newGuest)
  for (const email of emails) await ball.submit(link.public_url, { email, ...fields })
  return Promise.all(emails.map((email): Promise<Shown> => ball.requestOf(email)))
}

const idsOf = (requests: readonly { public_id: string }[]) => requests.map(({ public_id }) => public_id)

const approveAll = (ball: Signups, publicIds: unknown, headers: Record<string, string> = {}): Promise<Shown> =>
  ball.office.post(`${ball.requests}/approvals`, { public_ids: publicIds }, { headers })

const outcomesOf = ({ body }: Shown) => body.results.map(({ result, message }: Shown) => message ?? result)

const admissionCounts = async (ball: Signups): Promise<number[]> =>
  (await ball.office.get(ball.forms)).body.forms.map(({ admission_count }: Shown) => admission_count)

test('many requests are approved at once, each with its own result in the order asked for', async () => {
  const ball = await openSignups()
  const link = await ball.link({ max_companions: 3, capacity: 4 })
  const [ada, bo, cy] = await signUp(ball, link, 3, { companions: 1 })
  const [inside, rejected] = await signUp(ball, await ball.link({ max_companions: 3 }), 2)
  await ball.approve(inside)
  await ball.sendJson(`${await ball.ownPage(inside.email)}/companions`, { guest_addition: { companions: 2 } })
  await ball.reject(rejected)

  const asked = [cy, rejected, { public_id: 'nobody' }, ada, bo, inside, cy]
  const reply = await approveAll(ball, idsOf(asked))
  expect(reply.status, reply.text).toBe(200)
  expect(idsOf(reply.body.results)).toEqual(idsOf(asked))
  expect(outcomesOf(reply)).toEqual([
    'approved',
    'This request has already been reviewed',
    'Not found',
    'approved',
    NO_ROOM,
    'approved',
    'approved',
  ])
  expect(reply.body).toMatchObject({ approved_count: 4, refused_count: 3 })
  expect(reply.body.results[0].guest_request).toEqual(await ball.requestOf(cy.email))
  expect(reply.body.results[5].guest_request).toMatchObject({
    total_party_size: 3,
    pending_addition: null,
    additions: [{ companions: 2, order_public_id: expect.any(String) }],
  })
  expect(reply.body.results[6]).toEqual(reply.body.results[0])
  expect(reply.body.results[4].guest_request).toBeNull()
  expect(await ball.requestOf(bo.email)).toEqual(bo)
  expect(await admissionCounts(ball)).toEqual([4, 3])
  for (const { email } of [ada, cy]) expect(await ball.ticketMailsTo(email)).toHaveLength(1)
  expect(await ball.ticketMailsTo(bo.email)).toHaveLength(0)

  const { rows } = await ball.app.database.pool.query(
    'select subject from audit_entries where account_id = $1 and action = $2',
    [ball.accountId, ACTION],
  )
  const approved = idsOf([cy, ada, inside, cy])
  expect(rows).toEqual([{ subject: { event_slug: 'winter-ball', approved } }])
})

test('the same again changes nothing, and under one Idempotency-Key gets the very same answer', async () => {
  const ball = await openSignups()
  const requests = await signUp(ball, await ball.link({ capacity: 2 }), 3)
  const key = { 'idempotency-key': 'evening' }
  const first = await approveAll(ball, idsOf(requests), key)
  expect(outcomesOf(first)).toEqual(['approved', 'approved', NO_ROOM])
  await ball.office.patch(`${ball.forms}/${requests[0].form_id}`, { guest_list_form: { capacity: 9 } })
  const replayed = await approveAll(ball, idsOf(requests), key)
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect(replayed.body).toEqual(first.body)
  expect(await approveAll(ball, idsOf(requests.slice(1)), key)).toRefuse(422)
  expect(await admissionCounts(ball)).toEqual([2])

  const anew = await approveAll(ball, idsOf(requests))
  expect(outcomesOf(anew)).toEqual(['approved', 'approved', 'approved'])
  expect(anew.body.results[0]).toEqual(first.body.results[0])
  expect(await admissionCounts(ball)).toEqual([3])
})

test('those who approve at the same time never give a place twice, and leave none over', async () => {
  const ball = await openSignups((event) => {
    event['tickets'][0].stock = 30
  })
  const [narrow, wide] = [await ball.link({ capacity: 12 }), await ball.link()]
  const requests = [...(await signUp(ball, narrow, 20)), ...(await signUp(ball, wide, 30))]
  const ids = idsOf(requests)
  const replies: Shown[] = await Promise.all([
    approveAll(ball, ids),
    approveAll(ball, ids.toReversed(), { 'idempotency-key': 'backwards' }),
    approveAll(
      ball,
      ids.filter((_, n) => n % 2 === 0),
    ),
    ...requests.slice(0, 10).map((request) => ball.approve(request)),
    ...requests.slice(-3).map((request) => ball.reject(request)),
  ])
  expect(new Set(replies.map(({ status }) => status))).toBeOneOf([new Set([200]), new Set([200, 422])])
  const [inNarrow, inWide] = await admissionCounts(ball)
  expect(inNarrow).toBeLessThanOrEqual(12)
  expect(inNarrow! + inWide!).toBe(30)
  expect(await ball.option('ga')).toMatchObject({ available_stock: 0 })
  const shown: Shown[] = await Promise.all(requests.map(({ email }) => ball.requestOf(email)))
  const parties = shown.flatMap(({ order_public_id }) => order_public_id ?? [])
  expect([parties.length, new Set(parties).size]).toEqual([30, 30])
}, 30_000)

test.for<When>(['at once', 'at the commit'])(
  'one that the database will not have, %s, harms none of the others',
  async (when) => {
    const ball = await openSignups()
    const link = await ball.link({ capacity: 200 })
    const requests = [
      ...(await signUp(ball, link, 4)),
      ...(await signUp(ball, link, 1, { name: 'Mallory' })),
      ...(await signUp(ball, link, 3)),
    ]
    await withoutOrdersOf(ball.app.database.pool, { name: 'Mallory', when }, async () => {
      for (const headers of [{ 'idempotency-key': 'mallory' }, undefined]) {
        const reply = await approveAll(ball, idsOf(requests), headers)
        expect(reply.status, reply.text).toBe(200)
        expect(outcomesOf(reply)).toEqual(
          requests.map((_, n) => (n === 4 ? 'This request could not be approved just now' : 'approved')),
        )
      }
    })
    expect(await admissionCounts(ball)).toEqual([7])
    expect(await ball.requestOf(requests[4].email)).toEqual(requests[4])
    for (const { email } of requests.slice(0, 2)) expect(await ball.ticketMailsTo(email)).toHaveLength(1)
    expect(outcomesOf(await approveAll(ball, idsOf(requests)))).toEqual(requests.map(() => 'approved'))
  },
)

test('a closed list refuses each of them, and everything stays waiting', async () => {
  const ball = await openSignups()
  const requests = await signUp(ball, await ball.link(), 2)
  await ball.app.database.pool.query('update events set cancelled_at = foyer_now() where account_id = $1 and id = $2', [
    ball.accountId,
    ball.eventId,
  ])
  expect(outcomesOf(await approveAll(ball, idsOf(requests)))).toEqual([
    'The guest list is closed',
    'The guest list is closed',
  ])
  expect((await ball.waiting()).pending_count).toBe(2)
})

test('what cannot be read is refused whole; another event’s requests are none of this one', async () => {
  const ball = await openSignups()
  const [ada] = await signUp(ball, await ball.link(), 1)
  const id: string = ada.public_id
  const bad: [unknown, string][] = [
    [undefined, "can't be blank"],
    [null, "can't be blank"],
    [[], "can't be blank"],
    [id, 'is invalid'],
    [{ 0: id }, 'is invalid'],
    [[id, 7], 'is invalid'],
    [[id, null], 'is invalid'],
    [[[id]], 'is invalid'],
    [[id, '\0'], 'is invalid'],
    [[id, 'x'.repeat(256)], 'is too long (maximum is 255 characters)'],
    [Array.from({ length: 501 }, () => id), 'is too long (maximum is 500 entries)'],
  ]
  for (const [ids, message] of bad) expect(await approveAll(ball, ids)).toRefuse(422, { public_ids: [message] })
  expect((await ball.waiting()).pending_count).toBe(1)

  const elsewhere = await ball.office.post('/admin/events/spring-night/guest_requests/approvals', { public_ids: [id] })
  expect(outcomesOf(elsewhere)).toEqual(['Not found'])
  expect(await ball.office.post('/admin/events/nothing/guest_requests/approvals', { public_ids: [id] })).toRefuse(404)
  expect(await ball.reader.post(`${ball.requests}/approvals`, { public_ids: [id] })).toRefuse(401)
  expect(await ball.requestOf(ada.email)).toEqual(ada)
  expect(
    outcomesOf(
      await approveAll(
        ball,
        Array.from({ length: 500 }, () => id),
      ),
    ),
  ).toEqual(Array.from({ length: 500 }, () => 'approved'))
  expect(await admissionCounts(ball)).toEqual([1])
})

test('a page holds as many requests as are asked for, twenty-five by default and 250 at most', async () => {
  const ball = await openSignups()
  await signUp(ball, await ball.link(), 27)
  const lengths = async (query: string) => {
    const { requests, next_page } = await ball.waiting(query)
    return [requests.length, next_page]
  }
  expect(await lengths('')).toEqual([25, 2])
  expect(await lengths('?per_page=26')).toEqual([26, 2])
  expect(await lengths('?per_page=26&page=2')).toEqual([1, null])
  expect(await lengths('?per_page=9999')).toEqual([27, null])
  for (const nonsense of ['0', '-1', 'all', '', '1e9']) expect(await lengths(`?per_page=${nonsense}`)).toEqual([25, 2])
})
