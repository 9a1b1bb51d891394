import { expect, onTestFinished, test } from 'vitest'
import { SESSION_COOKIE } from '../../src/access/cookies.ts'
import { dataOrThrow, isRefusal, openApiClient } from '../../web/api/client.ts'
import type { ApiRefusal } from '../../web/api/refusals.ts'
import type { SendOptions } from '../../web/api/send.ts'
import { SessionGate } from '../../web/api/session-gate.ts'
import { openTcpProxy } from '../kit/network/tcp-proxy.ts'
import { sessionToken } from '../kit/venue/sessions.ts'
import { openVenue, type Venue } from '../kit/venue/venue.ts'

const MARA = 'mara@neue-halle.example'
const OWNER = 'olga@neue-halle.example'

/** The console's client as Mara's browser runs it: her cookie goes along by itself. */
const openConsole = async (
  venue: Venue,
  { origin = venue.origin, ...more }: Partial<SendOptions> & { origin?: string } = {},
) => {
  const gate = new SessionGate()
  const cookie = { value: await sessionToken(venue, MARA) }
  const lines: boolean[] = []
  const sent: Request[] = []
  const api = openApiClient(origin, {
    fetch: (request) => {
      request.headers.set('cookie', `${SESSION_COOKIE}=${cookie.value}`)
      request.headers.set('sec-fetch-site', 'same-origin')
      sent.push(request)
      return fetch(request)
    },
    gate,
    onLine: (isThere) => lines.push(isThere),
    wait: async () => {},
    ...more,
  })
  return { api, gate, cookie, lines, sent }
}

const refusalOf = async (asked: Promise<unknown>): Promise<ApiRefusal> => {
  const error = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!isRefusal(error)) throw new Error(`That was no refusal: ${String(error)}`)
  return error
}

const titlesOf = async (venue: Venue) => {
  const { body } = await venue.office.get('/admin/tasks')
  return (body.tasks as { title: string }[]).map(({ title }) => title)
}

test('the console asks the documented API with nothing but the cookie of the session', async () => {
  const { api, sent } = await openConsole(await openVenue())
  const { events } = await dataOrThrow(api.GET('/admin/events'))
  expect(events.map(({ slug }) => slug)).toContain('winter-ball')
  expect(sent[0]!.headers.has('authorization')).toBe(false)
})

test('a refusal is told by field', async () => {
  const { api } = await openConsole(await openVenue())
  const refusal = await refusalOf(dataOrThrow(api.POST('/admin/tasks', { body: { task: { title: '' } } })))
  expect(refusal).toMatchObject({ kind: 'invalid', status: 422, fields: { title: [expect.any(String)] } })
})

test('what is gone, what is not allowed and what has changed are told apart', async () => {
  const venue = await openVenue()
  const { api } = await openConsole(venue)
  const gone = await refusalOf(
    dataOrThrow(api.GET('/admin/events/{event_slug}', { params: { path: { event_slug: 'nothing' } } })),
  )
  expect(gone.kind).toBe('not_found')

  const { id } = await dataOrThrow(api.POST('/admin/tasks', { body: { task: { title: 'Tune the piano' } } }))
  const stale = { params: { path: { id } }, body: { task: { title: 'Sell the piano', lock_version: 99 } } }
  expect((await refusalOf(dataOrThrow(api.PATCH('/admin/tasks/{id}', stale)))).kind).toBe('conflict')

  const cem = await openConsole(venue)
  cem.cookie.value = await sessionToken(venue, 'cem@partner.example')
  // Signing in again would not help, so nobody is asked to.
  expect((await refusalOf(dataOrThrow(cem.api.GET('/admin/vouchers')))).kind).toBe('not_allowed')
  expect(cem.gate.isClosed).toBe(false)
})

test('a session that ends in the middle: the request waits, and goes on with what was typed', async () => {
  const venue = await openVenue()
  const { api, gate, cookie } = await openConsole(venue)
  await dataOrThrow(api.GET('/admin/events'))
  cookie.value = 'foyer_session_gone'

  const creating = dataOrThrow(api.POST('/admin/tasks', { body: { task: { title: 'Count the chairs' } } }))
  await expect.poll(() => gate.isClosed).toBe(true)
  expect(await titlesOf(venue)).not.toContain('Count the chairs')

  cookie.value = await sessionToken(venue, MARA)
  gate.open()
  expect((await creating).title).toBe('Count the chairs')
  expect((await titlesOf(venue)).filter((title) => title === 'Count the chairs')).toHaveLength(1)
})

/** A console whose first two answers never arrive, though the server has done what was asked. */
const openConsoleThatLoses = async (venue: Venue, person = MARA) => {
  const session = await sessionToken(venue, person)
  const sent = { attempts: 0 }
  const opened = await openConsole(venue, {
    fetch: async (request) => {
      request.headers.set('cookie', `${SESSION_COOKIE}=${session}`)
      const answer = await fetch(request)
      if (++sent.attempts <= 2) throw new TypeError('fetch failed')
      return answer
    },
  })
  return { ...opened, sent }
}

test('a creation whose answer is lost on the way is repeated, and creates once', async () => {
  const venue = await openVenue()
  const { api, lines, sent } = await openConsoleThatLoses(venue)
  const task = await dataOrThrow(api.POST('/admin/tasks', { body: { task: { title: 'Mop the floor' } } }))
  expect(task.title).toBe('Mop the floor')
  expect(sent.attempts).toBe(3)
  expect(lines).toEqual([false, false, true])
  expect((await titlesOf(venue)).filter((title) => title === 'Mop the floor')).toHaveLength(1)
})

test('a correction of a voucher whose answer is lost on the way is made once', async () => {
  const venue = await openVenue()
  const { body: voucher } = await venue.office.post('/admin/vouchers', { voucher: { amount: '5.00' } })
  const { api, sent } = await openConsoleThatLoses(venue, OWNER)
  const adjusted = await dataOrThrow(
    api.POST('/admin/vouchers/{voucher_id}/adjustment', {
      params: { path: { voucher_id: voucher.id } },
      body: { direction: 'credit', amount: '10.00', reason: 'Goodwill' },
    }),
  )
  expect(sent.attempts).toBe(3)
  expect(adjusted.balance.amount).toBe('15.00')
})

test('without a line a person is told so, and what cannot be repeated was sent once', async () => {
  const venue = await openVenue()
  const proxy = await openTcpProxy({ port: Number(new URL(venue.origin).port), host: '127.0.0.1' })
  onTestFinished(() => proxy.close())
  proxy.refuse()
  const { api, lines, sent } = await openConsole(venue, { origin: `http://127.0.0.1:${proxy.port}` })
  expect((await refusalOf(dataOrThrow(api.GET('/admin/events')))).kind).toBe('offline')
  expect(sent).toHaveLength(4)
  const renaming = { params: { path: { id: 'x' } }, body: { task: { title: 'y' } } }
  expect((await refusalOf(dataOrThrow(api.PATCH('/admin/tasks/{id}', renaming)))).kind).toBe('offline')
  expect(sent).toHaveLength(5)
  expect(lines).toEqual([false, false, false, false, false])
})

test('who asks too much waits as long as the server says, if that is short, and is told otherwise', async () => {
  const venue = await openVenue()
  const waited: number[] = []
  const answers = (seconds: number) => {
    let asked = 0
    return async () =>
      ++asked === 1
        ? new Response(JSON.stringify({ errors: { base: ['Too many requests'] } }), {
            status: 429,
            headers: { 'retry-after': String(seconds), 'content-type': 'application/json' },
          })
        : Response.json({ events: [] })
  }
  const wait = async (ms: number) => void waited.push(ms)
  const short = await openConsole(venue, { fetch: answers(2), wait })
  expect(await dataOrThrow(short.api.GET('/admin/events'))).toEqual({ events: [] })
  expect(waited).toEqual([2000])

  const long = await openConsole(venue, { fetch: answers(40), wait })
  expect(await refusalOf(dataOrThrow(long.api.GET('/admin/events')))).toMatchObject({
    kind: 'too_many',
    retryAfterSeconds: 40,
  })
})

test('the same write twice at once is sent once and answered to both; afterwards it is another one', async () => {
  const venue = await openVenue()
  const { api, sent } = await openConsole(venue)
  const create = (title: string) => dataOrThrow(api.POST('/admin/tasks', { body: { task: { title } } }))
  const [first, again, other] = await Promise.all([create('One'), create('One'), create('Other')])
  expect(again).toEqual(first)
  expect(other.title).toBe('Other')
  expect(sent).toHaveLength(2)
  await create('One')
  expect((await titlesOf(venue)).toSorted()).toEqual(['One', 'One', 'Other'])
})

test('a write that comes to nothing is not shared', async () => {
  const venue = await openVenue()
  const calledBack = new AbortController()
  const { api } = await openConsole(venue)
  const create = (signal?: AbortSignal) =>
    dataOrThrow(api.POST('/admin/tasks', { body: { task: { title: 'One' } }, ...(signal && { signal }) }))
  const [gone, kept] = [create(calledBack.signal), create()]
  calledBack.abort()
  await expect(gone).rejects.toThrow('abort')
  expect((await kept).title).toBe('One')
})
