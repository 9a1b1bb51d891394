import { expect, test } from 'vitest'
import { openRowsForJob } from '../../src/access/job-scope.ts'
import { operatorTransaction } from '../../src/access/operator.ts'
import { lockGuestEmails } from '../../src/admissions/records.ts'
import { compareQuotas } from '../../src/signup/requests/consistency/records.ts'
import { openSecondServer } from '../kit/database/second-server.ts'
import { askAtHost } from '../kit/network/ask-at-host.ts'
import { mailbox } from '../kit/network/read-eml.ts'
import { race } from '../kit/race.ts'
import { pickBy, randomOf, shuffledBy } from '../kit/seed.ts'
import { type Client, openClient } from '../kit/venue/client.ts'
import { readOutbox } from '../kit/venue/outbox.ts'
import { type Signups, holdsTickets, newGuest, openSignups } from '../kit/venue/signups.ts'

/** The full run takes many more. */
const ROUNDS = Number(process.env['FOYER_RACE_ROUNDS'] ?? 12)
const FULL_RUN = { timeout: 60_000 + ROUNDS * 2_000 }
const COMPANIONS = 4

/** Who asks where, and in which order. */
const random = randomOf('signup')

/** With a place for everybody who comes in a full run. */
const openBall = () =>
  openSignups((event) => {
    event['capacity'] = null
    event['tickets'][0].stock = null
  })

/** Looking for it in the list takes the longer the more have signed up, and soon longer than the race itself. */
const requestOf = async (ball: Signups, email: string) => {
  const { rows } = await ball.app.database.pool.query<{ public_id: string }>(
    'select public_id from signup_requests where account_id = $1 and event_id = $2 and email = $3',
    [ball.accountId, ball.eventId, email],
  )
  return rows[0] ? (await ball.office.get(`${ball.requests}/${rows[0].public_id}`)).body : null
}

/** How many mails each address has got, once everything is sent. */
const mailsByGuest = async (ball: Signups, options: { onlyTickets: boolean }) => {
  await ball.workOffJobs()
  const counts = new Map<string, number>()
  for (const mail of await readOutbox(ball)) {
    if (options.onlyTickets && !holdsTickets(mail)) continue
    const { address } = mailbox(mail, 'to')
    counts.set(address, (counts.get(address) ?? 0) + 1)
  }
  return counts
}

const besides = async (ball: Signups) => {
  const { origin, close } = await openSecondServer(ball.app)
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
  FULL_RUN,
  async () => {
    const ball = await openBall()
    const second = await besides(ball)
    const { public_url } = await ball.link({ max_companions: 1, capacity: ROUNDS })
    const emails = Array.from({ length: ROUNDS }, newGuest)
    await race(ROUNDS, async (n) => {
      await ball.submit(public_url, { email: emails[n]! })
      const request = await requestOf(ball, emails[n]!)
      const replies = await Promise.all(
        Array.from({ length: 2 + Math.floor(random() * 10) }, () =>
          decide(pickBy(random, [ball.office, second.office]), ball, request, 'approval'),
        ),
      )
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
      expect(new Set(replies.map(({ body }) => body.order_public_id)).size).toBe(1)
    })
    await second.close()
    expect((await ball.guestList()).guest_parties).toHaveLength(ROUNDS)
    const mails = await mailsByGuest(ball, { onlyTickets: true })
    expect(emails.map((email) => mails.get(email))).toEqual(emails.map(() => 1))
  },
)

test('of an approval and a rejection at once one wins, and the other is told so', FULL_RUN, async () => {
  const ball = await openBall()
  const second = await besides(ball)
  const { public_url } = await ball.link({ capacity: ROUNDS })
  let approved = 0
  await race(ROUNDS, async () => {
    const email = newGuest()
    await ball.submit(public_url, { email })
    const request = await requestOf(ball, email)
    const verdicts = shuffledBy(random, ['approval', 'rejection'] as const)
    const offices = shuffledBy(random, [ball.office, second.office])
    const replies = await Promise.all(verdicts.map((verdict, n) => decide(offices[n]!, ball, request, verdict)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const { status } = await requestOf(ball, email)
    const won = verdicts[replies.findIndex((reply) => reply.status === 200)]
    expect(status).toBe(won === 'approval' ? 'approved' : 'rejected')
    if (status === 'approved') approved++
  })
  await second.close()
  expect((await ball.guestList()).guest_parties).toHaveLength(approved)
})

test('of two requests for the last place of a link one is approved', FULL_RUN, async () => {
  const ball = await openBall()
  const second = await besides(ball)
  await race(ROUNDS, async () => {
    const form = await ball.link({ capacity: 1 })
    const emails = [newGuest(), newGuest()]
    for (const email of emails) await ball.submit(form.public_url, { email })
    const { requests } = await ball.waiting(`?form_id=${form.public_id}`)
    const replies = await Promise.all(
      requests.map((request: { public_id: string }, n: number) =>
        decide(n ? ball.office : second.office, ball, request, 'approval'),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })
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
  const mails = await mailsByGuest(ball, { onlyTickets: true })
  const counts = emails.map((email) => mails.get(email) ?? 0).toSorted()
  expect(counts).toEqual([...Array.from({ length: 30 }, () => 0), ...Array.from({ length: 10 }, () => 1)])
})

test(
  'approvals, additions and cancellations at once never leave a quota above its limit or away from the truth',
  FULL_RUN,
  async () => {
    const ball = await openBall()
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
        const { order_public_id } = await requestOf(ball, email)
        if (order_public_id) orders.push(order_public_id)
      }
      const { admission_count } = (await second.office.get(`${ball.forms}/${form.public_id}`)).body
      expect(admission_count).toBeLessThanOrEqual(12)
    })
    await second.close()
    expect(await compareQuotas(openRowsForJob(ball.app, ball.accountId))).toEqual([])
  },
)

test('companions who are added at once are never more than a guest may bring', FULL_RUN, async () => {
  const ball = await openBall()
  const second = await besides(ball)
  const capacity = ROUNDS * (1 + COMPANIONS)
  const links = [
    await ball.link({ approval_mode: 'automatic', max_companions: COMPANIONS, capacity }),
    await ball.link({ max_companions: COMPANIONS, capacity }),
  ]
  const emails = Array.from({ length: Math.ceil(ROUNDS / 3) * links.length }, newGuest)
  await race(emails.length, async (n) => {
    const [link, email] = [links[n % links.length]!, emails[n]!]
    const { headers } = await ball.sendForm(link.public_url, [
      ['guest_request[name]', 'Ada'],
      ['guest_request[email]', email],
    ])
    const page = new URL(headers.get('location')!, link.public_url)
    const request = await requestOf(ball, email)
    const isManual = link.approval_mode === 'manual'
    if (isManual) expect((await ball.approve(request)).status).toBe(200)

    const replies = await Promise.all(
      Array.from({ length: COMPANIONS + 3 }, () =>
        postAt(pickBy(random, [ball.origin, second.origin]), `${page.origin}${page.pathname}/companions`, {
          guest_addition: { companions: 1 },
        }),
      ),
    )
    const statuses = replies.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, 200, 200, 200, 422, 422, 422])
    if (isManual) expect((await ball.approve(request)).status).toBe(200)
  })
  await second.close()
  const admitted = new Map<string, number>()
  for (const { delivery_email: email, admissions } of (await ball.guestList()).guest_parties) {
    admitted.set(email, (admitted.get(email) ?? 0) + admissions.length)
  }
  expect(emails.map((email) => admitted.get(email))).toEqual(emails.map(() => 1 + COMPANIONS))
})

test('one address that signs up many times at once, through every link, is signed up once', FULL_RUN, async () => {
  const ball = await openBall()
  const second = await besides(ball)
  const links = [await ball.link(), await ball.link({ approval_mode: 'automatic' })]
  const emails = Array.from({ length: ROUNDS }, newGuest)
  await race(ROUNDS, async (round) => {
    const email = emails[round]!
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        at(n % 2 ? ball.origin : second.origin, links[n % links.length]!.public_url, { email, name: `Guest ${n}` }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201])
  })
  await second.close()
  const mails = await mailsByGuest(ball, { onlyTickets: false })
  expect(emails.filter((email) => !mails.has(email))).toEqual([])
})

test('a submission that meets a rotation is in before it or not at all', FULL_RUN, async () => {
  const ball = await openBall()
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
      expect((await requestOf(ball, emails[n]!)) !== null).toBe(status === 201)
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
  operatorTransaction(ball.app, async (operator) => {
    const { tx } = (await operator.openAccount(ball.file['account'].subdomain))!
    if (locks) await lockGuestEmails(tx, ball.eventId, [email])
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
  // In this database: other tests have theirs on the same server.
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  const isWaiting = async () => (await ball.app.database.pool.query(waiting)).rowCount! > 0

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
