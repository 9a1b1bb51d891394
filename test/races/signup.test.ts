import { expect, test } from 'vitest'
import { accountRows } from '../../src/access/house-work.ts'
import { operatorTransaction } from '../../src/access/operator.ts'
import { lockAddresses } from '../../src/admissions/records.ts'
import { compareQuotas } from '../../src/signup/requests/records.ts'
import { type Client, openClient } from '../api.ts'
import { askAtHost } from '../kit/ask-at-host.ts'
import { openBeside } from '../kit/beside.ts'
import { race } from '../kit/race.ts'
import { pickBy, randomOf, shuffledBy } from '../kit/seed.ts'
import { type Signups, newGuest, openSignups } from '../kit/signups.ts'

/** The full run takes many more. */
const ROUNDS = Number(process.env['FOYER_RACE_ROUNDS'] ?? 12)
const FULL_RUN = { timeout: 60_000 + ROUNDS * 2_000 }

/** Who asks where, and in which order. */
const random = randomOf('signup')

const besides = async (ball: Signups) => {
  const { origin, close } = await openBeside(ball.house)
  return { origin, close, office: openClient(origin, { token: ball.report.api_tokens['office write'] }) }
}

const at = (origin: string, url: string, fields: object) =>
  postAt(origin, url, { guest_request: { name: 'Ada', ...fields } })

const postAt = async (origin: string, url: string, body: object) => {
  const { pathname, host } = new URL(url)
  const reply = await askAtHost(origin, pathname, {
    method: 'POST',
    headers: { host, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: reply.status, text: await reply.text() }
}

const decide = (client: Client, ball: Signups, request: { public_id: string }, verdict: 'approval' | 'rejection') =>
  client.post(`${ball.requests}/${request.public_id}/${verdict}`)

test(
  'however many approve the same request, at whichever server, there is one party and one mail',
  async () => {
    const ball = await openSignups()
    const second = await besides(ball)
    const { public_url } = await ball.link({ max_companions: 1, capacity: ROUNDS })
    const emails: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const email = newGuest()
      emails.push(email)
      await ball.submit(public_url, { email })
      const request = await ball.requestOf(email)
      const replies = await Promise.all(
        Array.from({ length: 2 + Math.floor(random() * 10) }, () =>
          decide(pickBy(random, [ball.office, second.office]), ball, request, 'approval'),
        ),
      )
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
      expect(new Set(replies.map(({ body }) => body.order_public_id)).size).toBe(1)
    }
    await second.close()
    expect((await ball.guestList()).guest_parties).toHaveLength(ROUNDS)
    for (const email of emails) expect(await ball.ticketMailsTo(email)).toHaveLength(1)
  },
  60_000 + ROUNDS * 1_000,
)

test(
  'of an approval and a rejection at once one wins, and the other is told so',
  async () => {
    const ball = await openSignups()
    const second = await besides(ball)
    const { public_url } = await ball.link({ capacity: ROUNDS })
    let approved = 0
    for (let round = 0; round < ROUNDS; round++) {
      const email = newGuest()
      await ball.submit(public_url, { email })
      const request = await ball.requestOf(email)
      const verdicts = shuffledBy(random, ['approval', 'rejection'] as const)
      const offices = shuffledBy(random, [ball.office, second.office])
      const replies = await Promise.all(verdicts.map((verdict, n) => decide(offices[n]!, ball, request, verdict)))
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422])
      const { status } = await ball.requestOf(email)
      const won = verdicts[replies.findIndex((reply) => reply.status === 200)]
      expect(status).toBe(won === 'approval' ? 'approved' : 'rejected')
      if (status === 'approved') approved++
    }
    await second.close()
    expect((await ball.guestList()).guest_parties).toHaveLength(approved)
  },
  60_000 + ROUNDS * 1_000,
)

test('of two requests for the last place of a link one is approved', FULL_RUN, async () => {
  const ball = await openSignups()
  const second = await besides(ball)
  for (let round = 0; round < ROUNDS; round++) {
    const form = await ball.link({ capacity: 1 })
    const emails = [newGuest(), newGuest()]
    for (const email of emails) await ball.submit(form.public_url, { email })
    const requests = (await ball.waiting(`?form_id=${form.public_id}`)).requests
    const replies = await Promise.all(
      requests.map((request: { public_id: string }, n: number) =>
        decide(n ? ball.office : second.office, ball, request, 'approval'),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422])
  }
  await second.close()
})

test('forty guests at once on an automatic link with ten places: ten are in, thirty wait, none is lost', async () => {
  const ball = await openSignups()
  const second = await besides(ball)
  const form = await ball.link({ approval_mode: 'automatic', capacity: 10 })
  const emails = Array.from({ length: 40 }, newGuest)
  const replies = await Promise.all(
    emails.map((email, n) => at(n % 2 ? ball.origin : second.origin, form.public_url, { email })),
  )
  await second.close()

  const told = replies.map(({ status, text }) => `${status} ${JSON.parse(text).status}`)
  expect(told.filter((each) => each === '201 approved')).toHaveLength(10)
  expect(told.filter((each) => each === '201 pending')).toHaveLength(30)
  expect((await ball.guestList()).admission_count).toBe(10)
  expect(await ball.waiting()).toMatchObject({ pending_count: 30 })
  expect((await ball.office.get(`${ball.forms}/${form.public_id}`)).body).toMatchObject({
    admission_count: 10,
    remaining_capacity: 0,
  })
  const mails = await Promise.all(emails.map((email) => ball.ticketMailsTo(email)))
  expect(mails.map(({ length }) => length).toSorted()).toEqual([
    ...Array.from({ length: 30 }, () => 0),
    ...Array.from({ length: 10 }, () => 1),
  ])
})

test('approvals, additions and cancellations at once never leave a quota above its limit or away from the truth', async () => {
  const ball = await openSignups()
  const second = await besides(ball)
  const form = await ball.link({ approval_mode: 'automatic', capacity: 12, max_companions: 3 })
  const pages: string[] = []
  const orders: string[] = []
  await race(ROUNDS * 8, async (n) => {
    const page = pages[n % (pages.length || 1)]
    const order = n % 4 === 3 ? orders.pop() : undefined
    if (order) await (n % 2 ? ball.office : second.office).post(`${ball.path}/guest_parties/${order}/cancellation`)
    else if (n % 4 === 2 && page) await ball.sendJson(`${page}/companions`, { guest_addition: { companions: 1 } })
    else {
      const email = newGuest()
      const reply = await ball.sendForm(form.public_url, [
        ['guest_request[name]', 'Ada'],
        ['guest_request[email]', email],
        ['guest_request[companions]', String(n % 3)],
      ])
      expect(reply.status).toBe(303)
      pages.push(reply.headers.get('location')!.split('?')[0]!)
      const request = await ball.requestOf(email)
      if (request?.order_public_id) orders.push(request.order_public_id)
    }
    const { admission_count } = (await second.office.get(`${ball.forms}/${form.public_id}`)).body
    expect(admission_count).toBeLessThanOrEqual(12)
  })
  await second.close()
  expect(await compareQuotas(accountRows(ball.house, ball.accountId))).toEqual([])
}, 90_000)

test('companions who are added at once are never more than a guest may bring', FULL_RUN, async () => {
  const ball = await openSignups()
  const second = await besides(ball)
  for (const approval_mode of ['automatic', 'manual']) {
    const form = await ball.link({ approval_mode, max_companions: 4 })
    for (let round = 0; round < Math.ceil(ROUNDS / 3); round++) {
      const email = newGuest()
      const { headers } = await ball.sendForm(form.public_url, [
        ['guest_request[name]', 'Ada'],
        ['guest_request[email]', email],
      ])
      const page = new URL(headers.get('location')!, form.public_url)
      const request = await ball.requestOf(email)
      if (approval_mode === 'manual') expect((await ball.approve(request)).status).toBe(200)

      const replies = await Promise.all(
        Array.from({ length: 7 }, () =>
          postAt(pickBy(random, [ball.origin, second.origin]), `${page.origin}${page.pathname}/companions`, {
            guest_addition: { companions: 1 },
          }),
        ),
      )
      const statuses = replies.map(({ status }) => status).toSorted()
      expect(statuses).toEqual([200, 200, 200, 200, 422, 422, 422])
      if (approval_mode === 'manual') expect((await ball.approve(request)).status).toBe(200)
      const { guest_parties } = await ball.guestList()
      const mine = guest_parties.filter((party: { delivery_email: string }) => party.delivery_email === email)
      expect(mine.flatMap((party: { admissions: unknown[] }) => party.admissions)).toHaveLength(5)
    }
  }
  await second.close()
})

test('one address that signs up many times at once, through every link, is signed up once', FULL_RUN, async () => {
  const ball = await openSignups()
  const second = await besides(ball)
  const links = [await ball.link(), await ball.link({ approval_mode: 'automatic' })]
  for (let round = 0; round < ROUNDS; round++) {
    const email = newGuest()
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        at(n % 2 ? ball.origin : second.origin, links[n % links.length]!.public_url, { email, name: `Guest ${n}` }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201])
    expect((await ball.mailsTo(email)).length).toBeGreaterThanOrEqual(1)
  }
  await second.close()
})

test('a submission that meets a rotation is in before it or not at all', FULL_RUN, async () => {
  const ball = await openSignups()
  const second = await besides(ball)
  const form = await ball.link()
  let url = form.public_url
  for (let round = 0; round < ROUNDS; round++) {
    const emails = [newGuest(), newGuest(), newGuest()]
    const before = Math.floor(random() * (emails.length + 1))
    const submit = (email: string) => at(pickBy(random, [ball.origin, second.origin]), url, { email })
    const early = emails.slice(0, before).map(submit)
    const rotation = second.office.post(`${ball.forms}/${form.public_id}/rotation`)
    const late = emails.slice(before).map(submit)
    const [rotated, ...replies] = await Promise.all([rotation, ...early, ...late])
    expect(rotated.status).toBe(200)
    for (const [n, { status }] of replies.entries()) {
      expect([201, 404]).toContain(status)
      expect((await ball.requestOf(emails[n]!)) !== null).toBe(status === 201)
    }
    expect((await ball.submit(url, { email: newGuest() })).status).toBe(404)
    url = rotated.body.public_url
  }
  await second.close()
})

test('two who save the first link of an event at once save one', async () => {
  const ball = await openSignups()
  const second = await besides(ball)
  const save = (client: Client, capacity: number) =>
    client.patch('/admin/events/spring-night/guest_list_form', { guest_list_form: { capacity } })
  const replies = await Promise.all(
    [10, 20, 30, 40].map((capacity, n) => save(n % 2 ? ball.office : second.office, capacity)),
  )
  await second.close()
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await ball.office.get('/admin/events/spring-night/guest_list_forms')).body.forms).toHaveLength(1)
})

/** Staff are adding a party for this address, and have not committed yet while the work is done. */
const whileStaffAdd = (ball: Signups, email: string, locks: boolean, work: () => Promise<void>) =>
  operatorTransaction(ball.house, async (operator) => {
    const { tx } = (await operator.openAccount(ball.file['account'].subdomain))!
    if (locks) await lockAddresses(tx, ball.eventId, [email])
    await tx.db
      .insertInto('orders')
      .values({
        account_id: ball.accountId,
        event_id: ball.eventId,
        public_id: `staff-${email}`,
        order_code: email.slice(0, 9).toUpperCase(),
        origin: 'guest_list',
        status: 'paid',
        customer_name: 'Ada',
        delivery_email: email,
      })
      .execute()
    await work()
  })

const signUpMeanwhile = async (locks: boolean) => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const email = newGuest()
  const told: string[] = []
  let signup: Promise<unknown> | undefined
  const isWaiting = async () =>
    (await ball.house.database.pool.query(`select from pg_locks where locktype = 'advisory' and not granted`))
      .rowCount! > 0

  await whileStaffAdd(ball, email, locks, async () => {
    signup = ball.submit(public_url, { email }).then(({ body }) => told.push(body.status))
    while (told.length === 0 && !(await isWaiting()));
  })
  await signup
  return told[0]
}

test('a guest whom staff are just adding is told to be signed up already', async () => {
  expect(await signUpMeanwhile(true)).toBe('already_signed_up')
})

test('the same without the lock on the address saves a second signup', async () => {
  expect(await signUpMeanwhile(false)).toBe('pending')
})
