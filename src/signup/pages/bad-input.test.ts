import { expect, test } from 'vitest'
import { type PageReply, type Signups, newGuest, openSignups } from '../../../test/kit/venue/signups.ts'

type Pairs = [string, string][]

const field = (name: string) => `guest_request[${name}]`
const form = (fields: Record<string, string>): Pairs =>
  Object.entries(fields).map(([name, value]) => [field(name), value])

/** Everything a signup could leave behind: requests, parties, mails and news for the management. */
const traces = async (ball: Signups) => {
  const count = async (table: string) => {
    const { rows } = await ball.app.database.pool.query(`select count(*)::int from ${table} where account_id = $1`, [
      ball.accountId,
    ])
    return rows[0].count
  }
  const tables = ['signup_requests', 'signup_additions', 'signup_reminders', 'notifications', 'audit_entries']
  return [await ball.standing(), await ball.queuedMails(), ...(await Promise.all(tables.map(count)))]
}

const expectPage = (page: PageReply, status: number, ...texts: string[]) => {
  expect(page.status, page.text).toBe(status)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('cache-control')).toBe('private, no-store')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  for (const text of texts) expect(page.text).toContain(text)
  expect(page.text).not.toContain('<script')
}

const STRICT = {
  company_field: 'required',
  phone_field: 'required',
  max_companions: 3,
  companion_names_field: 'required',
  asks_questions: true,
}

test('a form with nothing, or with everything wrong, comes back with each fault beside its field, and saves nothing', async () => {
  const ball = await openSignups((event) => {
    event['questions'].push({ key: 'shoe', label: 'Shoe size', type: 'number', scope: 'order', required: true })
  })
  const { public_url } = await ball.link(STRICT)
  const { shoe, heard } = ball.questions
  const before = await traces(ball)

  const empty = await ball.sendForm(public_url, [])
  expectPage(empty, 422, 'Nothing has been saved yet')
  for (const label of ['Name', 'Email', 'Company', 'Phone', 'Shoe size']) {
    expect(empty.text).toContain(`>${label} can&#39;t be blank</a>`)
    expect(empty.text).toContain(`${label} can&#39;t be blank</p>`)
  }
  expect(empty.text.match(/aria-invalid="true"/g)).toHaveLength(5)

  const wrong = await ball.sendForm(public_url, [
    ...form({ name: ' \u00a0 ', email: 'zoe at home', company: 'x'.repeat(256), phone: '1'.repeat(51) }),
    [field('companions'), '20'],
    [field('companion_names]['), 'Omar'],
    [`guest_request[answers][${shoe}]`, 'big'],
    [`guest_request[answers][${heard}]`, 'Television'],
    [field('unknown'), 'x'],
  ])
  expectPage(
    wrong,
    422,
    'Name can&#39;t be blank',
    'Email is invalid',
    'Company is too long (maximum is 255 characters)',
    'Phone is too long (maximum is 50 characters)',
    'Companions must be less than or equal to 3',
    'Shoe size is not a number',
    'How did you hear of us? is not included in the list',
    'value="zoe at home"',
    'value="Omar"',
  )
  expect(await traces(ball)).toEqual(before)
})

test.for<[string, Record<string, unknown>, string]>([
  ['twenty companions', { companions: 20 }, 'companions'],
  ['a list for a number', { companions: [1] }, 'companions'],
  ['more companions than numbers can count', { companions: 1e300 }, 'companions'],
  ['a nameless companion', { companions: 2, companion_names: ['Omar', ' \u3000'] }, 'companion_names'],
  ['a companion with an endless name', { companions: 1, companion_names: ['🎷'.repeat(256)] }, 'companion_names'],
  ['names that are no list', { companions: 1, companion_names: { 0: 'Omar' } }, 'companion_names'],
  ['a name of only spaces', { name: ' \t\u00a0' }, 'name'],
  ['an endless name', { name: '🎷'.repeat(256) }, 'name'],
  ['an object as a name', { name: { first: 'Ada' } }, 'name'],
  ['an address to click as a name', { name: 'Free tickets: https://evil.example/x' }, 'name'],
  ['an address in wide letters as a name', { name: 'Ｗｗｗ．evil.example' }, 'name'],
  ['an address behind characters that nobody sees', { name: 'w\u200bww\u00ad.evil.example' }, 'name'],
  ['an address to click as a company', { company: 'WWW.evil.example' }, 'company'],
  ['a companion who is an address', { companions: 1, companion_names: ['tel://117'] }, 'companion_names'],
  ['an endless address', { email: `${'a'.repeat(250)}@guest.example` }, 'email'],
  ['two addresses', { email: 'ada@guest.example, bob@guest.example' }, 'email'],
  ['a header as an address', { email: 'ada@guest.example\r\nBcc: all@guest.example' }, 'email'],
  ['an address with letters that no mail server takes', { email: 'zoë@guest.example' }, 'email'],
  ['an address with a character that nobody sees', { email: 'ada\u200b@guest.example' }, 'email'],
  ['a list of addresses', { email: ['ada@guest.example'] }, 'email'],
  ['an endless phone number', { phone: '1'.repeat(51) }, 'phone'],
  ['answers to a question that takes others', { answers: { heard: 'Television' } }, 'answers'],
])('%s: the field is named, as JSON and on the page, and nothing is saved', async ([, fields, named]) => {
  const ball = await openSignups()
  const { public_url } = await ball.link(STRICT)
  const guest = { name: 'Ada', email: newGuest(), company: 'Engine', phone: '040 1' }
  const whole: Record<string, unknown> = { ...guest, ...fields }
  if ('answers' in fields) Object.assign(whole, { answers: { [ball.questions['heard']!]: 'Television' } })
  const before = await traces(ball)

  const reply = await ball.sendJson(public_url, { guest_request: whole })
  expect(reply.status).toBe(422)
  expect(Object.keys(reply.body.errors)).toEqual([named])

  const pairs = Object.entries(whole).flatMap(([name, value]): Pairs => {
    if (Array.isArray(value)) return value.map((each): [string, string] => [field(`${name}][`), String(each)])
    if (typeof value === 'string' || typeof value === 'number') return [[field(name), String(value)]]
    return Object.entries(value as object).map(([key, each]): [string, string] => [
      field(`${name}][${key}`),
      String(each),
    ])
  })
  expectPage(await ball.sendForm(public_url, pairs), 422, 'Nothing has been saved yet')
  expect(await traces(ball)).toEqual(before)
})

test('names and answers that cannot be read are refused where they are optional too, and never dropped', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ max_companions: 2, companion_names_field: 'optional', asks_questions: true })
  const before = await traces(ball)
  const send = (fields: object) => ball.submit(public_url, { email: 'unread@signup.example', companions: 1, ...fields })
  for (const companion_names of [{ 0: 'Omar' }, [{}], [['Omar']], [true], { first: 'Omar' }]) {
    expect((await send({ companion_names })).body).toEqual({ errors: { companion_names: ['is invalid'] } })
  }
  for (const answers of ['Radio', 7, true, [], ['Radio']]) {
    expect((await send({ answers })).body).toEqual({ errors: { answers: ['Answers is invalid'] } })
  }
  expect(await traces(ball)).toEqual(before)

  // One companion's name may come as a form with one field sends it.
  expect((await send({ companion_names: 'Omar', answers: null })).status).toBe(201)
  expect(await ball.requestOf('unread@signup.example')).toMatchObject({ companions: 1, companion_names: ['Omar'] })
})

test('an address in capitals and spaces is the address; a script for a name is a name', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const name = '<script>alert("🎷")</script>'
  const sent = await ball.sendForm(public_url, form({ name: `  ${name} `, email: '\u00a0 ZOE@Engine.EXAMPLE\t' }))
  expect(sent.status).toBe(303)
  expect(await ball.requestOf('zoe@engine.example')).toMatchObject({ name, status: 'pending' })

  const own = await ball.visit(sent.headers.get('location')!)
  expectPage(own, 200, '&lt;script&gt;alert(&quot;🎷&quot;)&lt;/script&gt;')
  expectPage(await ball.sendForm(public_url, form({ name, email: 'zoE@engine.example' })), 200, 'already signed up')
  expect(await ball.inbox()).toMatchObject([{ title: expect.stringContaining(name) }])
})

test('sent many times by a nervous thumb, a form signs up once, and every page says so', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ approval_mode: 'automatic' })
  const email = newGuest()
  const pages = await Promise.all(
    Array.from({ length: 5 }, () => ball.sendForm(public_url, form({ name: 'Zoë', email }))),
  )
  const [first, ...others] = pages.toSorted((a, b) => b.status - a.status)
  expect(first!.headers.get('location')).toMatch(/^\/guest_signups\/\w+\?done=confirmed$/)
  for (const page of others) expectPage(page, 200, 'You are already signed up')
  expect((await ball.guestList()).admission_count).toBe(1)
  expect((await ball.waiting('?status=approved')).requests).toHaveLength(1)

  const added = `${first!.headers.get('location')!.split('?')[0]}/companions`
  const again = await Promise.all(
    Array.from({ length: 3 }, () => ball.sendForm(added, [['guest_addition[companions]', '1']])),
  )
  for (const page of again) expectPage(page, 422, 'You cannot bring more companions')
  expect((await ball.guestList()).admission_count).toBe(1)
})

test('a form that was open while its link was replaced is a page that says so, and saves nothing', async () => {
  const ball = await openSignups()
  const link = await ball.link()
  expectPage(await ball.visit(link.public_url), 200)
  await ball.office.post(`${ball.forms}/${link.public_id}/rotation`)
  const before = await traces(ball)

  for (const pairs of [form({ name: 'Zoë', email: newGuest() }), []]) {
    expectPage(await ball.sendForm(link.public_url, pairs), 404, 'This page is not here', 'may have been replaced')
  }
  expectPage(await ball.visit(link.public_url), 404, 'This page is not here')
  expectPage(await ball.sendForm(`/guest_signups/${link.public_url.split('/').at(-1)}/companions`, []), 404)
  expectPage(await ball.sendForm('/guest_signups/nothing/resend', []), 404, 'This page is not here')
  expect(await traces(ball)).toEqual(before)
})

test('a form that was open while its link was closed, the event cancelled or ended says so, and saves nothing', async () => {
  const ball = await openSignups()
  const [closed, open] = [await ball.link(), await ball.link()]
  await ball.office.patch(`${ball.forms}/${closed.public_id}`, { guest_list_form: { enabled: false } })
  const before = await traces(ball)
  const sent = () => form({ name: 'Zoë', email: newGuest() })
  const update = (change: string) =>
    ball.app.database.pool.query(`update events set ${change} where account_id = $1 and id = $2`, [
      ball.accountId,
      ball.eventId,
    ])

  expectPage(await ball.sendForm(closed.public_url, sent()), 422, 'This guest list is closed')
  expectPage(await ball.sendForm(closed.public_url, []), 422, 'This guest list is closed')
  await update('cancelled_at = foyer_now()')
  expectPage(await ball.sendForm(open.public_url, sent()), 422, 'This event is cancelled')
  await update(`cancelled_at = null, doors_open_at = null, starts_at = foyer_now() - interval '2 days'`)
  expectPage(await ball.sendForm(open.public_url, sent()), 422, 'This guest list is closed')
  await update('published_at = null')
  expectPage(await ball.sendForm(open.public_url, sent()), 404, 'This page is not here')
  expect(await traces(ball)).toEqual(before)
})

test('the page of a busy list shows nobody who is on it', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ name: 'Friends only', max_companions: 1, companion_names_field: 'optional' })
  const email = newGuest()
  await ball.submit(public_url, { name: 'Zoë', email, companions: 1, companion_names: ['Omar'], company: 'Engine' })
  const { body } = await ball.approve(await ball.requestOf(email))
  const party = await ball.office.get(ball.partyPath({ public_id: body.order_public_id }))

  const pages = [await ball.visit(public_url), await ball.sendForm(public_url, form({ name: 'X', email }))]
  for (const { text } of pages) {
    for (const secret of ['Zoë', email, 'Omar', 'Engine', 'Friends only', body.public_id, party.body.order_code]) {
      expect(text).not.toContain(secret)
    }
  }
})
