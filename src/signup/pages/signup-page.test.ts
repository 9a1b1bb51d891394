import { expect, test } from 'vitest'
import { bodyOf, leaves } from '../../../test/kit/network/read-eml.ts'
import { newGuest, openSignups } from '../../../test/kit/venue/signups.ts'

const field = (name: string) => `guest_request[${name}]`

test('the page asks name and email, says when and where in the venue’s own time, and hides what is internal', async () => {
  const ball = await openSignups((event) => {
    event['starts_at'] = '2031-01-10T19:30:00Z'
    event['doors_open_at'] = '2031-01-10T18:00:00Z'
  })
  const { public_url } = await ball.link({ name: 'Internal label', company_field: 'hidden' })
  const page = await ball.visit(public_url)

  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.text).toContain('Winter Ball')
  expect(page.text).toMatch(/Friday,? 10 January 2031, 20:30 CET/)
  expect(page.text).toContain('Doors open at 19:00 CET')
  expect(page.text).toContain('Neue Halle, Hafenstrasse 7, 20359 Hamburg')
  expect(page.text).not.toContain('Internal label')
  const asked = [...page.text.matchAll(/name="([^"]+)"/g)].map(([, name]) => name).filter((name) => name!.includes('['))
  expect(asked).toEqual([field('name'), field('email'), field('website')])
})

test('the page leaves no trace: no index, no referrer, no cache, no script, and no cookie', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const { headers, text } = await ball.visit(public_url)

  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'/)
  expect(headers.get('content-security-policy')).not.toContain('script-src')
  expect(headers.get('set-cookie')).toBeNull()
  expect(text).not.toContain('<script')
})

test('any client that does not ask for JSON sees the page', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const { pathname, host } = new URL(public_url)
  const reply = await ball.client().ask('GET', pathname, { headers: { host, accept: '*/*' } })
  expect(reply.status).toBe(200)
  expect(reply.text).toContain('<form method="post">')
})

test('the form asks exactly what the link asks', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({
    company_field: 'required',
    phone_field: 'optional',
    max_companions: 2,
    companion_names_field: 'required',
    asks_questions: true,
  })
  const { text } = await ball.visit(public_url)
  for (const name of ['company', 'phone', 'companions', 'companion_names][']) expect(text).toContain(`"${field(name)}"`)
  expect(text).toContain(`"guest_request[answers][${ball.questions['heard']}]"`)
  expect(text).toContain(`"guest_request[answers][${ball.questions['terms']}]"`)
  expect(text).not.toContain('Diet')
  expect(text.match(/companion_names\]\[\]/g)).toHaveLength(2)
})

test('a form without companions offers no names, whatever the link says about them', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ max_companions: 0, companion_names_field: 'required' })
  expect((await ball.visit(public_url)).text).not.toContain('guest_request[companion')
  expect((await ball.submit(public_url, { companions: 1, companion_names: ['X'] })).body).toEqual({
    errors: { companions: ['must be less than or equal to 0'] },
  })
  expect((await ball.waiting()).requests).toEqual([])
})

test('a browser’s form leads to the guest’s own page', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ max_companions: 3, companion_names_field: 'optional', asks_questions: true })
  const email = newGuest()
  const reply = await ball.sendForm(public_url, [
    [field('name'), ' Zoë Müller '],
    [field('email'), `  ${email.toUpperCase()} `],
    [field('company'), ''],
    [field('companions'), '2'],
    [field('companion_names]['), 'Omar'],
    [field('companion_names]['), ''],
    [field('companion_names]['), 'left over'],
    [`guest_request[answers][${ball.questions['terms']}]`, '0'],
    [`guest_request[answers][${ball.questions['terms']}]`, '1'],
    [field('website'), ''],
  ])
  expect(reply.status).toBe(303)
  expect(reply.headers.get('location')).toMatch(/^\/guest_signups\/\w{22,}\?done=received$/)

  expect(await ball.requestOf(email)).toMatchObject({
    name: 'Zoë Müller',
    email,
    company: null,
    companions: 2,
    companion_names: ['Omar'],
    answers: [{ id: ball.questions['terms'], value: true }],
  })
  const page = await ball.visit(reply.headers.get('location')!)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Waiting')
})

test('details that a link hides are dropped', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ company_field: 'hidden', max_companions: 1 })
  const email = newGuest()
  const hidden = {
    company: 'X',
    phone: '1',
    companions: 1,
    companion_names: ['Y'],
    answers: { [ball.questions['heard']!]: 'Radio' },
  }
  await ball.submit(public_url, { email, ...hidden })
  expect(await ball.requestOf(email)).toMatchObject({
    company: null,
    phone: null,
    companions: 1,
    companion_names: [],
    answers: [],
  })
})

test.for([
  [
    'nothing',
    {},
    { name: ["can't be blank"], email: ["can't be blank"], company: ["can't be blank"], phone: ["can't be blank"] },
  ],
  [
    'everything wrong',
    { name: ['x'], email: 'nobody', company: 'x'.repeat(256), phone: { a: 1 }, companions: 'many' },
    {
      name: ['is invalid'],
      email: ['is invalid'],
      company: ['is too long (maximum is 255 characters)'],
      phone: ['is invalid'],
      companions: ['is not a number'],
    },
  ],
  ['twenty companions', { companions: 20 }, { companions: ['must be less than or equal to 3'] }],
  ['half a companion', { companions: '1.5' }, { companions: ['must be an integer'] }],
  ['less than no companions', { companions: -1 }, { companions: ['must be greater than or equal to 0'] }],
  ['a companion without a name', { companions: 2, companion_names: ['Omar'] }, { companion_names: ["can't be blank"] }],
  ['a companion who is no text', { companions: 1, companion_names: [{}] }, { companion_names: ['is invalid'] }],
  ['a zero byte', { name: 'a\0b' }, { name: ['is invalid'] }],
  ['half a letter', { name: '\ud800' }, { name: ['is invalid'] }],
  ['the trap filled', { website: 'http://spam.example' }, { website: ['Please leave this field empty'] }],
] as const)('a submission with %s is refused by field and saves nothing', async ([, fields, errors]) => {
  const ball = await openSignups()
  const { public_url } = await ball.link({
    company_field: 'required',
    phone_field: 'required',
    max_companions: 3,
    companion_names_field: 'required',
  })
  const whole = { name: 'Ada', email: newGuest(), company: 'Engine', phone: '040 1' }
  const guest_request = Object.keys(fields).length === 0 ? {} : { ...whole, ...fields }
  const reply = await ball.sendJson(public_url, { guest_request })
  expect(reply).toMatchObject({ status: 422, body: { errors } })
  expect((await ball.waiting()).requests).toEqual([])
  expect(await ball.inbox()).toEqual([])
})

test('bodies that are no signup at all are refused clearly', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  for (const body of [{}, [], null, 'x', { guest_request: 'x' }, { guest_request: [] }]) {
    const reply = await ball.sendJson(public_url, body)
    expect(reply.status).toBe(422)
    expect(reply.body.errors).toMatchObject({ name: ["can't be blank"] })
  }
  const empty = await ball.sendForm(public_url, [])
  expect(empty.status).toBe(422)
  expect(empty.text).toContain('Name can&#39;t be blank')
})

test('a party larger than the whole capacity of the link is refused', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ max_companions: 5, capacity: 3 })
  expect((await ball.submit(public_url, { companions: 3 })).body).toEqual({
    errors: { companions: ['Not enough places available'] },
  })
  expect((await ball.submit(public_url, { email: newGuest(), companions: 2 })).status).toBe(201)
})

test('required questions are required at signup, unless they can be completed later', async () => {
  const ball = await openSignups((event) => {
    event['questions'].push(
      { key: 'shoe', label: 'Shoe size', type: 'number', scope: 'order', required: true },
      { key: 'later', label: 'Later', type: 'text', scope: 'order', required: true, complete_later: true },
      { key: 'swear', label: 'I swear', type: 'checkbox', scope: 'order', required: true },
      { key: 'drinks', label: 'Drinks', type: 'multi_select', scope: 'order', options: ['Beer', 'Wine'] },
    )
  })
  const { public_url } = await ball.link({ asks_questions: true })
  const { shoe, swear, drinks } = ball.questions
  const answers = (given: object) => ball.submit(public_url, { email: 'questions@signup.example', answers: given })

  expect((await answers({})).body).toEqual({
    errors: { answers: ["Shoe size can't be blank", "I swear can't be blank"] },
  })
  expect((await answers({ [shoe!]: 'big', [swear!]: '0', [drinks!]: ['Milk'] })).body).toEqual({
    errors: {
      answers: ['Shoe size is not a number', 'I swear must be accepted', 'Drinks is not included in the list'],
    },
  })
  expect((await answers({ [shoe!]: '42', [swear!]: '1', [drinks!]: ['Wine', 'Beer'] })).status).toBe(201)

  const form = (await ball.office.get(ball.forms)).body.forms[0]
  await ball.office.patch(`${ball.forms}/${form.public_id}`, { guest_list_form: { asks_questions: false } })
  expect((await ball.requestOf('questions@signup.example')).answers).toEqual([
    { id: ball.questions['terms'], label: 'I accept the house rules', type: 'checkbox', value: false },
    { id: shoe, label: 'Shoe size', type: 'number', value: '42' },
    { id: swear, label: 'I swear', type: 'checkbox', value: true },
    { id: drinks, label: 'Drinks', type: 'multi_select', value: ['Beer', 'Wine'] },
  ])
})

test('after an error the form still has what was typed, and markup stays text', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ max_companions: 2, companion_names_field: 'optional', asks_questions: true })
  const page = await ball.sendForm(public_url, [
    [field('name'), '"><script>alert(1)</script>'],
    [field('email'), 'nobody at all'],
    [field('company'), 'Halle & Söhne'],
    [field('companions'), '2'],
    [field('companion_names]['), 'Omar'],
    [`guest_request[answers][${ball.questions['heard']}]`, 'Radio'],
  ])
  expect(page.status).toBe(422)
  expect(page.text).not.toContain('<script')
  expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  expect(page.text).toContain('value="nobody at all"')
  expect(page.text).toContain('value="Halle &amp; Söhne"')
  expect(page.text).toMatch(/<option value="2"\s+selected>/)
  expect(page.text).toContain('value="Omar"')
  expect(page.text).toMatch(/<option value="Radio"\s+selected>/)
  expect(page.text).toContain('Email is invalid')
  expect((await ball.waiting()).requests).toEqual([])
})

test('a disabled link shows that it is closed and takes nobody; the others go on', async () => {
  const ball = await openSignups()
  const [closed, open] = [await ball.link({ enabled: false }), await ball.link()]
  const page = await ball.visit(closed.public_url)
  expect(page.status).toBe(200)
  expect(page.text).toContain('This guest list is closed')
  expect(page.text).not.toContain('<form')

  expect(await ball.submit(closed.public_url)).toMatchObject({
    status: 422,
    body: { errors: { base: ['The guest list is closed'] } },
  })
  expect((await ball.sendForm(closed.public_url, [[field('name'), 'Ada']])).status).toBe(422)
  expect((await ball.waiting()).requests).toEqual([])
  expect((await ball.submit(open.public_url, { email: newGuest() })).status).toBe(201)
})

test('an event that is over or cancelled shows a closed list; a draft or a hidden shop shows nothing', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const set = (table: string, change: string, id: number) =>
    ball.app.database.pool.query(`update ${table} set ${change} where id = $1`, [id])

  await set('events', 'cancelled_at = foyer_now()', ball.eventId)
  expect((await ball.visit(public_url)).text).toContain('This event is cancelled')
  await set(
    'events',
    `cancelled_at = null, doors_open_at = null, starts_at = foyer_now() - interval '6 hours'`,
    ball.eventId,
  )
  expect((await ball.visit(public_url)).text).toContain('This guest list is closed')
  expect((await ball.submit(public_url)).status).toBe(422)
  await set('events', `published_at = null, starts_at = foyer_now() + interval '6 hours'`, ball.eventId)
  expect((await ball.visit(public_url)).status).toBe(404)
  expect((await ball.submit(public_url)).status).toBe(404)
  await set('events', 'published_at = foyer_now(), unlisted_at = foyer_now()', ball.eventId)
  expect((await ball.visit(public_url)).status).toBe(200)
  await set('accounts', 'shop_published_at = null', ball.accountId)
  expect((await ball.visit(public_url)).status).toBe(404)
})

test('an unknown address is a page that says so, as 404', async () => {
  const ball = await openSignups()
  const page = await ball.visit('/guest_list/nothing')
  expect(page.status).toBe(404)
  expect(page.text).toContain('This page is not here')
  expect((await ball.submit('/guest_list/nothing')).body).toEqual({ error: 'Not found' })
})

test('an automatic link lets guests in at once and mails one set of tickets, in the owner’s name', async () => {
  const ball = await openSignups()
  const form = await ball.link({ approval_mode: 'automatic', max_companions: 1 })
  const email = newGuest()
  expect((await ball.submit(form.public_url, { email, companions: 1 })).body).toEqual({ status: 'approved' })

  const request = await ball.requestOf(email)
  expect(request).toMatchObject({ status: 'approved', reviewed_at: request.created_at })
  const party = await ball.office.get(`${ball.path}/guest_parties/${request.order_public_id}`)
  expect(party.body).toMatchObject({ party_size: 2, creator_name: 'Olga Owner' })
  expect(await ball.mailsTo(email)).toHaveLength(1)
  expect(await ball.ticketMailsTo(email)).toHaveLength(1)
  expect(await ball.inbox()).toEqual([])
})

test('where no place is left an automatic link keeps the request for staff', async () => {
  const ball = await openSignups()
  const form = await ball.link({ approval_mode: 'automatic', max_companions: 1, capacity: 2 })
  await ball.submit(form.public_url, { email: newGuest() })
  const email = newGuest()
  expect((await ball.submit(form.public_url, { email, companions: 1 })).body).toEqual({ status: 'pending' })
  expect(await ball.requestOf(email)).toMatchObject({ status: 'pending', order_public_id: null })
  expect(await ball.inbox()).toMatchObject([{ kind: 'signup_pending' }])
  expect(await ball.ticketMailsTo(email)).toEqual([])
})

test('an address signs up once per event, whatever the case, the link or the state of the first', async () => {
  const ball = await openSignups()
  const [one, other] = [await ball.link({ phone_field: 'optional' }), await ball.link({ approval_mode: 'automatic' })]
  const email = newGuest()
  await ball.submit(one.public_url, { email, name: 'First', company: 'First', phone: '1' })
  const first = await ball.requestOf(email)

  const repeat = async () => {
    const again = { email: ` ${email.toUpperCase()}`, name: 'Second', company: 'Second', phone: '2' }
    const replies = [await ball.submit(one.public_url, again), await ball.submit(other.public_url, again)]
    for (const reply of replies) expect(reply).toMatchObject({ status: 200, body: { status: 'already_signed_up' } })
    const page = await ball.sendForm(one.public_url, [
      [field('name'), 'Second'],
      [field('email'), email],
    ])
    expect(page.status).toBe(200)
    return page.text
  }
  const pages = [await repeat()]
  expect(await ball.requestOf(email)).toEqual(first)
  await ball.approve(first)
  pages.push(await repeat())
  expect(new Set(pages).size).toBe(1)
  expect(pages[0]).toContain('You are already signed up')
  for (const secret of ['First', 'guest_signups', email]) expect(pages[0]).not.toContain(secret)

  expect((await ball.guestList()).guest_parties).toHaveLength(1)
  const spring = await ball.office.patch('/admin/events/spring-night/guest_list_form', { guest_list_form: {} })
  expect((await ball.submit(spring.body.public_url, { email })).status).toBe(201)
})

test('a repeated signup mails the way to the own page, without a word that a stranger wrote', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const email = newGuest()
  await ball.submit(public_url, { email, name: 'Buy pills at spam.example' })
  await ball.submit(public_url, { email, name: 'More pills' })

  const mails = await ball.mailsTo(email)
  expect(mails).toHaveLength(2)
  for (const mail of mails) {
    expect(bodyOf(mail, 'text/plain')).toContain(`${ball.report.account.shop_url}/guest_signups/`)
    expect(
      leaves(mail)
        .map(({ part }) => part.body.toString())
        .join(''),
    ).not.toContain('pills')
  }
})

test('a guest whom staff added gets the tickets again instead, unless they went to staff or are cancelled', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const [added, cancelled] = [newGuest(), newGuest()]
  await ball.party({ delivery_email: added })
  const gone = await ball.party({ delivery_email: cancelled })
  await ball.office.post(ball.partyPath(gone, '/cancellation'))
  await ball.party({ send_to_creator: true })

  expect((await ball.submit(public_url, { email: added })).body).toEqual({ status: 'already_signed_up' })
  expect(await ball.ticketMailsTo(added)).toHaveLength(2)
  expect(await ball.requestOf(added)).toBeNull()
  expect((await ball.submit(public_url, { email: cancelled })).body).toEqual({ status: 'pending' })
  expect((await ball.submit(public_url, { email: 'olga@neue-halle.example' })).body).toEqual({ status: 'pending' })
})
