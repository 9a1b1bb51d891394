import { expect, test } from 'vitest'
import { openTool } from '../../test/kit/venue/assistant.ts'
import { type Signups, openSignups } from '../../test/kit/venue/signups.ts'

const as = async (ball: Signups, token: string) => {
  const { does: guests, ...rest } = await openTool(ball, token, 'manage_guest_list', { event_title: 'winter ball' })
  return { guests, ...rest }
}

const dry_run = true

test('an assistant opens a link, approves a request that came through it, and rejects another', async () => {
  const ball = await openSignups()
  const { guests, fails } = await as(ball, 'office write')

  const settings = {
    form_name: 'Friends',
    ticket_title: 'general ADMISSION',
    max_companions: 3,
    signup_capacity: 12,
    signup_fields: '{"company": "required", "phone": "optional"}',
    ask_checkout_questions: true,
  }
  expect(await guests('create_form', { ...settings, dry_run })).toMatchObject({ dry_run: true })
  expect(await guests('forms')).toMatchObject({ count: 0, forms: [] })
  const form = await guests('create_form', settings)
  expect(form).toMatchObject({
    name: 'Friends',
    ticket_id: ball.tickets['ga'],
    max_companions: 3,
    capacity: 12,
    company_field: 'required',
    phone_field: 'optional',
    companion_names_field: 'hidden',
    asks_questions: true,
  })

  for (const name of ['ada', 'bob']) {
    const fields = { name, email: `${name}@engine.example`, company: 'Engine', companions: 1 }
    expect((await ball.submit(form.public_url, fields)).status).toBeLessThan(400)
  }
  const { requests, pending_count: waiting } = await guests('requests', { form_id: form.form_id })
  expect(waiting).toBe(2)
  const [bob, ada] = requests
  expect(ada).toMatchObject({ name: 'ada', party_size: 2, status: 'pending' })

  const { body: alone } = await ball.reader.get(`${ball.requests}/${ada.request_id}`)
  expect(alone).toEqual((await ball.waiting()).requests[1])
  expect(await guests('approve_request', { request_id: ada.request_id, dry_run })).toMatchObject({
    dry_run: true,
    now: { request_id: ada.request_id, status: 'pending' },
  })
  expect((await ball.requestOf('ada@engine.example')).status).toBe('pending')
  const approved = await guests('approve_request', { request_id: ada.request_id })
  expect(approved).toMatchObject({ status: 'approved', party_size: 2 })
  expect(await guests('approve_request', { request_id: ada.request_id })).toEqual(approved)
  expect(await ball.ticketMailsTo('ada@engine.example')).toHaveLength(1)
  expect(await fails('reject_request', { request_id: ada.request_id })).toMatchObject({ status: 422 })

  expect(await guests('reject_request', { request_id: bob.request_id })).toMatchObject({
    status: 'rejected',
  })
  expect(await guests('requests', { request_status: 'rejected' })).toMatchObject({ requests: [{ name: 'bob' }] })
  expect(await fails('requests', { form_id: 'nobody' })).toMatchObject({ status: 404 })
})

test('companions that were approved later count in the size of a request', async () => {
  const ball = await openSignups()
  const { guests } = await as(ball, 'office write')
  const link = await ball.link({ max_companions: 3 })
  await ball.submit(link.public_url, { email: 'grace@engine.example', companions: 1 })
  const { requests } = await guests('requests')
  await guests('approve_request', { request_id: requests[0].request_id })
  const own = await ball.ownPage('grace@engine.example')
  await ball.sendJson(`${own}/companions`, { guest_addition: { companions: 2 } })
  expect(await guests('requests')).toMatchObject({ requests: [{ party_size: 2, pending_addition: { companions: 2 } }] })

  await guests('approve_request', { request_id: requests[0].request_id })
  const { requests: decided } = await guests('requests', { request_status: 'approved' })
  const { body } = await ball.office.get(`${ball.requests}?status=approved`)
  expect(decided[0].party_size).toBe(4)
  expect(body.requests[0].total_party_size).toBe(4)
})

test('a link is configured with false and with 0, keeps the rest, and gets a fresh address', async () => {
  const ball = await openSignups()
  const { guests, fails } = await as(ball, 'office write')
  const link = await ball.link({ name: 'Press', max_companions: 4, capacity: 20 })

  const off = { form_id: link.public_id, signup_enabled: false, max_companions: 0, approval_mode: 'automatic' }
  expect(await guests('configure_form', { ...off, dry_run })).toMatchObject({
    afterwards: { enabled: false, max_companions: 0 },
  })
  expect(await guests('form', { form_id: link.public_id })).toMatchObject({ enabled: true, max_companions: 4 })
  expect(await guests('configure_form', off)).toMatchObject({
    form_id: link.public_id,
    name: 'Press',
    enabled: false,
    max_companions: 0,
    approval_mode: 'automatic',
    capacity: 20,
  })

  const standing = { ticket_title: 'standing', standing_area: 'front' }
  expect(await guests('configure_form', standing)).toMatchObject({
    ticket_id: ball.tickets['floor'],
    event_capacity_pool_id: ball.areas['front'],
  })
  const moved = await guests('configure_form', { standing_area: 'Back' })
  expect(moved.event_capacity_pool_id).toBe(ball.areas['back'])
  const back = await guests('configure_form', { ticket_title: 'Crew' })
  expect(back).toMatchObject({ ticket_id: ball.tickets['crew'], event_capacity_pool_id: null })

  const fresh = await guests('rotate_form', { form_id: link.public_id })
  expect(fresh.form_id).toBe(link.public_id)
  expect(fresh.public_url).not.toBe(link.public_url)
  expect((await ball.visit(link.public_url)).status).toBe(404)

  await ball.link({ name: 'Family' })
  expect(await fails('form')).toMatchObject({
    errors: { form_id: ["can't be blank"] },
    choices: [{ name: 'Press' }, { name: 'Family' }],
  })
})
