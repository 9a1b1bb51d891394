import { afterEach, expect, test } from 'vitest'
import { openRowsForJob } from '../../src/access/job-scope.ts'
import { compareQuotas } from '../../src/signup/requests/consistency/records.ts'
import { closeGate, openSecondServer, withoutLocks } from '../kit/database/second-server.ts'
import { askAtHost } from '../kit/network/ask-at-host.ts'
import { type Client, openClient } from '../kit/venue/client.ts'
import { type Signups, newGuest, openSignups } from '../kit/venue/signups.ts'

/*
 * Every meeting is arranged: the first stands at a gate inside its transaction while the second comes. The same meeting
 * is held twice, with the guards of Foyer and without them, and without them it must end badly.
 */

type Outcome = Record<string, unknown>

interface Table {
  ball: Signups
  offices: [Client, Client]
  origins: [string, string]
}

/** No lock is waited for, and a decision is not asked whether it is the first. */
const withoutGuards = (statement: string) =>
  withoutLocks(statement).replaceAll(
    /and (r\.reviewed_at is null|coalesce\(r\.reviewed_at, 'infinity'\) = 'infinity')/g,
    '',
  )

let tidy: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const each of tidy.toReversed()) await each()
  tidy = []
})

const openTable = async (isGuarded: boolean): Promise<Table> => {
  const ball = await openSignups()
  const { pool } = ball.app.database
  const servers = [
    await openSecondServer(ball.app, isGuarded ? undefined : withoutGuards),
    await openSecondServer(ball.app, isGuarded ? undefined : withoutGuards),
  ] as const
  tidy.push(...servers.map(({ close }) => close))
  if (!isGuarded) {
    await pool.query('alter table signup_requests disable trigger a_decision_is_made_once')
    tidy.push(async () => {
      await pool.query('alter table signup_requests enable trigger a_decision_is_made_once')
      // What went wrong on purpose is put right, so that the books of the file are.
      for (const { linkPublicId, counted } of await compareQuotas(openRowsForJob(ball.app, ball.accountId)))
        await pool.query('update signup_links set admission_count = $1 where public_id = $2', [counted, linkPublicId])
    })
  }
  const token = ball.report.api_tokens['office write']
  return {
    ball,
    offices: [openClient(servers[0].origin, { token }), openClient(servers[1].origin, { token })],
    origins: [servers[0].origin, servers[1].origin],
  }
}

const decide = (client: Client, ball: Signups, request: { public_id: string }, verdict: 'approval' | 'rejection') =>
  client.post(`${ball.requests}/${request.public_id}/${verdict}`)

const at = async (origin: string, url: string, email: string) => {
  const { pathname, host } = new URL(url)
  const reply = await askAtHost(origin, pathname, {
    method: 'POST',
    headers: { host, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ guest_request: { name: 'Ada', email } }),
  })
  const body = (await reply.json()) as { status?: string }
  return { status: reply.status, told: body.status }
}

const signUp = async (ball: Signups, settings: object = {}) => {
  const { public_url } = await ball.link(settings)
  const emails = [newGuest(), newGuest()] as const
  for (const email of emails) await ball.submit(public_url, { email })
  return Promise.all(emails.map((email) => ball.requestOf(email)))
}

/** The first is inside its transaction when the second comes. */
const meet = async <A, B>(ball: Signups, table: string, first: () => Promise<A>, second: () => Promise<B>) => {
  const gate = await closeGate(ball.app.database.pool, table)
  const one = first()
  await gate.waiting(1, one)
  const two = second()
  await gate.waiting(2, two)
  await gate.open()
  return Promise.all([one, two])
}

const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status)

const MEETINGS: {
  title: string
  hold: (table: Table) => Promise<Outcome>
  guarded: Outcome
  unguarded: Outcome
}[] = [
  {
    title: 'two approvals of one request',
    hold: async ({ ball, offices }) => {
      const [request] = await signUp(ball)
      const replies = await meet(
        ball,
        'orders',
        () => decide(offices[0], ball, request, 'approval'),
        () => decide(offices[1], ball, request, 'approval'),
      )
      const { guest_parties } = await ball.guestList()
      const mails = await ball.ticketMailsTo(request.email)
      return { statuses: statuses(replies), parties: guest_parties.length, mails: mails.length }
    },
    guarded: { statuses: [200, 200], parties: 1, mails: 1 },
    unguarded: { statuses: [200, 200], parties: 2, mails: 2 },
  },
  {
    title: 'an approval and a rejection of one request',
    hold: async ({ ball, offices }) => {
      const [request] = await signUp(ball)
      const replies = await meet(
        ball,
        'orders',
        () => decide(offices[0], ball, request, 'approval'),
        () => decide(offices[1], ball, request, 'rejection'),
      )
      return { statuses: statuses(replies) }
    },
    guarded: { statuses: [200, 422] },
    unguarded: { statuses: [200, 200] },
  },
  {
    title: 'two requests for the last place of a link',
    hold: async ({ ball, offices }) => {
      const [one, two] = await signUp(ball, { capacity: 1 })
      const replies = await meet(
        ball,
        'orders',
        () => decide(offices[0], ball, one, 'approval'),
        () => decide(offices[1], ball, two, 'approval'),
      )
      return { statuses: statuses(replies), admissions: (await ball.guestList()).admission_count }
    },
    guarded: { statuses: [200, 422], admissions: 1 },
    unguarded: { statuses: [200, 200], admissions: 2 },
  },
  {
    title: 'two sign-ups for the last place of an automatic link',
    hold: async ({ ball, origins }) => {
      const { public_url } = await ball.link({ approval_mode: 'automatic', capacity: 1 })
      const replies = await meet(
        ball,
        'orders',
        () => at(origins[0], public_url, newGuest()),
        () => at(origins[1], public_url, newGuest()),
      )
      return { told: replies.map(({ told }) => told), admissions: (await ball.guestList()).admission_count }
    },
    guarded: { told: ['approved', 'pending'], admissions: 1 },
    unguarded: { told: ['approved', 'approved'], admissions: 2 },
  },
  {
    title: 'a sign-up and a rotation of its link',
    hold: async ({ ball, offices, origins }) => {
      const form = await ball.link()
      const order: string[] = []
      const [signup, rotation] = await meet(
        ball,
        'signup_requests',
        () => at(origins[0], form.public_url, newGuest()).finally(() => order.push('signed up')),
        () => offices[1].post(`${ball.forms}/${form.public_id}/rotation`).finally(() => order.push('rotated')),
      )
      return { statuses: [signup.status, rotation.status], isThroughDeadLink: order[0] === 'rotated' }
    },
    guarded: { statuses: [201, 200], isThroughDeadLink: false },
    unguarded: { statuses: [201, 200], isThroughDeadLink: true },
  },
]

test.each(MEETINGS)('$title at once end as if one had come after the other', async ({ hold, guarded }) => {
  expect(await hold(await openTable(true))).toEqual(guarded)
})

test.each(MEETINGS)('control: without the guards, $title end badly', async ({ hold, unguarded }) => {
  expect(await hold(await openTable(false))).toEqual(unguarded)
})

/** The crowd of the full race, on servers that let everybody look before anybody has counted. */
const crowd = async (isGuarded: boolean) => {
  const { ball, origins } = await openTable(isGuarded)
  const { pool } = ball.app.database
  const { public_url } = await ball.link({ approval_mode: 'automatic', capacity: 10 })
  await pool.query(`
    create function take_a_moment() returns trigger language plpgsql as $$ begin perform pg_sleep(0.02); return new; end $$;
    create trigger take_a_moment before insert on orders for each row execute function take_a_moment()`)
  tidy.push(() => pool.query('drop trigger take_a_moment on orders; drop function take_a_moment()'))
  const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => at(origins[n % 2]!, public_url, newGuest())))
  return replies.filter(({ told }) => told === 'approved').length
}

test('forty guests on ten places: ten are in, and without the guards more', { timeout: 60_000 }, async () => {
  expect(await crowd(true)).toBe(10)
  await tidy.pop()!()
  expect(await crowd(false)).toBeGreaterThan(10)
})
