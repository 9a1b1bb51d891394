import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openClient, type Client } from '../../test/kit/venue/client.ts'
import { openVenue, theApp } from '../../test/kit/venue/venue.ts'
import { organizer, organizerOfEvent } from '../access/access.ts'
import { Invalid, NotFound } from '../kernel/refusals.ts'
import { created, ok } from './answers.ts'
import { envelope, unwrappedBody } from './body.ts'
import { endpoint } from './endpoint.ts'
import { flagWithDefault, integerWithDefault, optionalText, requiredText } from './fields.ts'
import { openServer } from './server/server.ts'
import { named } from './wire.ts'

/** A room that exists only here: it hires a hall, which is a row of the table venues. */
const Hall = named('Hall', z.object({ id: z.int(), name: z.string(), chairs: z.int(), heated: z.boolean() }), {
  id: 1,
  name: 'Loft',
  chairs: 0,
  heated: false,
})

let held: Promise<void> | undefined

const hiring = endpoint({
  method: 'POST',
  path: '/admin/halls',
  says: 'Hires a hall.',
  access: organizer('write'),
  creates: true,
  body: envelope(
    'hall',
    z.object({
      name: requiredText(40),
      chairs: integerWithDefault(0, { least: 0, most: 500 }),
      heated: flagWithDefault(false),
    }),
  ),
  answers: { 201: Hall },
  handle: async ({ account, body }) => {
    const hall = await account.transaction(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        insert into venues (account_id, key, name, time_zone)
        values (${tx.accountId}, gen_random_uuid(), ${body.name}, 'UTC')
        returning id`.execute(tx.db)
      await held
      if (body.name === 'Ruin') throw new Invalid({ name: ['is a ruin'] })
      return { id: rows[0]!.id, ...body }
    })
    return created(hall, `/admin/halls/${hall.id}`)
  },
})

const renaming = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/halls/:hall_id',
  says: 'Renames a hall.',
  access: organizerOfEvent('write'),
  body: envelope('hall', z.object({ name: requiredText(40).optional() })),
  exists: async () => {
    throw new NotFound()
  },
  answers: { 200: Hall },
  handle: async () => {
    throw new NotFound()
  },
})

const echo = endpoint({
  method: 'POST',
  path: '/admin/echo',
  says: 'Says it again.',
  access: organizer('read'),
  body: unwrappedBody(z.object({ text: optionalText(10) })),
  answers: { 200: z.object({ text: z.string().nullable() }) },
  handle: async ({ body }) => ok({ text: body.text, unasked: 'never leaves' }),
})

const listening = { origin: '', close: async () => {} }

beforeAll(async () => {
  const { app } = await theApp()
  const server = openServer(app, [hiring, renaming, echo])
  listening.origin = await server.listen({ port: 0, host: '127.0.0.1' })
  listening.close = () => server.close()
})
afterAll(() => listening.close())

const openOffice = async () => {
  const venue = await openVenue()
  const client = (token: string): Client => openClient(listening.origin, { token })
  const hallCount = async () => {
    const { rows } = await venue.app.database.pool.query<{ n: number }>(
      'select count(*)::int as n from venues where account_id = $1',
      [venue.report.account.id],
    )
    return rows[0]!.n - 1
  }
  return {
    ...venue,
    hallCount,
    office: client(venue.report.api_tokens['office write']!),
    reader: client(venue.report.api_tokens['office read']!),
    manager: client(venue.report.api_tokens['mara write']!),
  }
}

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

test('values are cast as forms send them, and a creation tells where it can be read', async () => {
  const { office } = await openOffice()
  const reply = await office.post('/admin/halls', { hall: { name: ' Loft ', chairs: '12', heated: '1', id: 99 } })
  expect(reply).toMatchObject({ status: 201, body: { name: 'Loft', chairs: 12, heated: true } })
  expect(reply.body.id).not.toBe(99)
  expect(reply.headers.get('location')).toBe(`http://localhost:3000/admin/halls/${reply.body.id}`)
})

test('faults of a body are told by field, all of them, without the name of the envelope', async () => {
  const { office, hallCount } = await openOffice()
  expect(await office.post('/admin/halls', { hall: {} })).toRefuse(422, { name: ["can't be blank"] })
  expect(await office.post('/admin/halls', { hall: { name: '  ', chairs: 1.5, heated: 'warm' } })).toRefuse(422, {
    name: ["can't be blank"],
    chairs: ['must be an integer'],
    heated: ['is not included in the list'],
  })
  const refused: [unknown, Record<string, string[]>][] = [
    [{ name: 'x'.repeat(41) }, { name: ['is too long (maximum is 40 characters)'] }],
    [{ name: ['Loft'] }, { name: ['is invalid'] }],
    [{ name: 'a\u0000b' }, { name: ['is invalid'] }],
    [{ name: 'a', chairs: 501 }, { chairs: ['must be less than or equal to 500'] }],
    [{ name: 'a', chairs: -1 }, { chairs: ['must be greater than or equal to 0'] }],
    [{ name: 'a', chairs: 'many' }, { chairs: ['is not a number'] }],
    [{ name: 'a', chairs: 1e300 }, { chairs: ['must be less than or equal to 500'] }],
    [{ name: 'a', chairs: {} }, { chairs: ['is not a number'] }],
  ]
  for (const [hall, errors] of refused)
    expect(await office.post('/admin/halls', { hall }), JSON.stringify(hall)).toRefuse(422, errors)
  expect(await hallCount()).toBe(0)
})

test('lengths count characters and not bytes', async () => {
  const { office } = await openOffice()
  expect((await office.post('/admin/halls', { hall: { name: '🎪'.repeat(40) } })).status).toBe(201)
  expect((await office.post('/admin/halls', { hall: { name: 'é'.repeat(41) } })).status).toBe(422)
})

test('a body that is malformed is 400, and of the wrong type or size 415 and 413', async () => {
  const { office, hallCount } = await openOffice()
  const send = (raw: string | Buffer, type = 'application/json') =>
    office.ask('POST', '/admin/halls', { raw, headers: { 'content-type': type } })

  expect(await send('{"hall":')).toRefuse(400, { base: ['The body is not valid JSON'] })
  expect(await send(Buffer.from([0x22, 0xff, 0x22]))).toRefuse(400, { base: ['The body is not valid UTF-8'] })
  expect(await send('['.repeat(100_000))).toRefuse(400, { base: ['The JSON is nested too deeply'] })
  for (const raw of ['{}', '[]', 'null', '"x"', '', '{"hall":null}', '{"hall":[]}', '{"hall":3}']) {
    expect(await send(raw), raw).toRefuse(400, { base: ['param is missing or the value is empty: hall'] })
  }
  expect(await send('<hall/>', 'application/xml')).toRefuse(415)
  expect(await send(JSON.stringify({ hall: { name: 'x'.repeat(1024 * 1024) } }))).toRefuse(413, {
    base: ['The body is too large'],
  })
  expect(await hallCount()).toBe(0)
})

test('forms are read like JSON, and a prototype is never polluted', async () => {
  const { office } = await openOffice()
  const form = await office.ask('POST', '/admin/halls', {
    raw: 'hall[name]=Loft&hall[chairs]=3&hall[__proto__][x]=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(form).toMatchObject({ status: 201, body: { name: 'Loft', chairs: 3 } })

  const json = await office.ask('POST', '/admin/halls', { raw: '{"hall":{"name":"a","__proto__":{"heated":true}}}' })
  expect(json.body.heated).toBe(false)
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

test('what is wrong is judged in order: credential, path, body', async () => {
  const { office, reader, stranger } = await openOffice()
  const malformed = { raw: '{"hall":', headers: { 'content-type': 'application/json' } }
  const anonymous = openClient(listening.origin)
  expect(await anonymous.ask('POST', '/admin/halls', malformed)).toRefuse(401)
  expect(await reader.ask('POST', '/admin/halls', malformed)).toRefuse(401)
  expect(await reader.ask('PATCH', '/admin/events/nowhere/halls/1', malformed)).toRefuse(401)
  expect(await office.ask('PATCH', '/admin/events/nowhere/halls/1', malformed)).toRefuse(404)
  expect(await office.ask('PATCH', '/admin/events/winter-ball/halls/1', malformed)).toRefuse(404)
  expect(await office.patch('/admin/events/winter-ball/halls/1', { hall: { name: '' } })).toRefuse(404)
  expect((await stranger.get('/healthz')).status).toBe(200)
})

test('an answer holds what its schema declares and nothing else', async () => {
  const { reader } = await openOffice()
  expect((await reader.post('/admin/echo', { text: 'hi' })).text).toBe('{"text":"hi"}')
  expect((await reader.post('/admin/echo')).text).toBe('{"text":null}')
})

test('repeating a creation with its key answers the same bytes and creates nothing', async () => {
  const { office, hallCount } = await openOffice()
  const first = await office.post('/admin/halls', { hall: { name: 'Loft', chairs: 3 } }, withKey('one'))
  const again = await office.post('/admin/halls', { hall: { chairs: 3, name: 'Loft' } }, withKey('one'))

  expect(again).toMatchObject({ status: 201, text: first.text })
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await hallCount()).toBe(1)
})

test('a key stands for one request: another body is refused, another credential has keys of its own', async () => {
  const { office, manager, hallCount } = await openOffice()
  await office.post('/admin/halls', { hall: { name: 'Loft' } }, withKey('one'))
  expect(await office.post('/admin/halls', { hall: { name: 'Cellar' } }, withKey('one'))).toRefuse(422, {
    base: ['Idempotency-Key was already used with a different request'],
  })
  expect((await manager.post('/admin/halls', { hall: { name: 'Cellar' } }, withKey('one'))).status).toBe(201)
  expect(await hallCount()).toBe(2)
})

test('a refusal frees its key, and an endless key is refused', async () => {
  const { office, hallCount } = await openOffice()
  expect(await office.post('/admin/halls', { hall: { name: 'Ruin' } }, withKey('one'))).toRefuse(422, {
    name: ['is a ruin'],
  })
  expect((await office.post('/admin/halls', { hall: { name: 'Loft' } }, withKey('one'))).status).toBe(201)
  expect(await office.post('/admin/halls', { hall: { name: 'Loft' } }, withKey('k'.repeat(256)))).toRefuse(422)
  expect(await hallCount()).toBe(1)
})

test('the twin of a creation that still runs is 409, and two never come of one key', async () => {
  const { office, hallCount } = await openOffice()
  const gate = Promise.withResolvers<void>()
  held = gate.promise
  const twins = ['a', 'b'].map(() => office.post('/admin/halls', { hall: { name: 'Loft' } }, withKey('one')))
  // Whoever took the key waits at the gate, so the first answer is the other one's.
  expect(await Promise.race(twins)).toRefuse(409, {
    base: ['A request with this Idempotency-Key is still being processed'],
  })
  gate.resolve()
  held = undefined
  const replies = await Promise.all(twins)
  expect(replies.map((each) => each.status).toSorted()).toEqual([201, 409])
  expect(await hallCount()).toBe(1)
})

test('a key is forgotten after a day', async () => {
  const { office, hallCount, moveClock, app, workOffJobs } = await openOffice()
  const ask = () => office.post('/admin/halls', { hall: { name: 'Loft' } }, withKey('daily'))
  await ask()
  await moveClock('23 hours 59 minutes')
  await ask()
  expect(await hallCount()).toBe(1)
  await moveClock('2 minutes')
  await ask()
  expect(await hallCount()).toBe(2)

  await moveClock('25 hours')
  await workOffJobs()
  const { rows } = await app.database.pool.query('select 1 from idempotency_keys')
  expect(rows).toEqual([])
})

test('what a key remembers is sealed', async () => {
  const { office, app } = await openOffice()
  await office.post('/admin/halls', { hall: { name: 'Unmistakable' } }, withKey('sealed'))
  const { rows } = await app.database.pool.query<{ body: Buffer }>(
    `select body from idempotency_keys where key = 'sealed'`,
  )
  expect(rows[0]!.body.toString('latin1')).not.toContain('Unmistakable')
})
