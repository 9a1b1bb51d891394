import { expect, test } from 'vitest'
import { openSignups } from '../../../test/kit/venue/signups.ts'

const SEVERAL = { base: ['Several signup links exist; use guest_list_forms'] }

test('before the first link there are defaults without ID, name or address, and asking makes none', async () => {
  const { reader, path, forms, tickets } = await openSignups()
  expect((await reader.get(`${path}/guest_list_form`)).body).toEqual({
    public_id: null,
    name: null,
    ticket_id: tickets['ga'],
    enabled: true,
    approval_mode: 'manual',
    event_capacity_pool_id: null,
    max_companions: 0,
    capacity: 50,
    company_field: 'optional',
    phone_field: 'hidden',
    companion_names_field: 'hidden',
    asks_questions: false,
    admission_count: 0,
    remaining_capacity: 50,
    public_url: null,
  })
  expect((await reader.get(forms)).body).toEqual({ forms: [] })
})

test('an update creates the first link with what was sent', async () => {
  const { office, path, forms, tickets } = await openSignups()
  const saved = await office.patch(`${path}/guest_list_form`, {
    guest_list_form: { ticket_id: tickets['crew'], capacity: 5, enabled: false, max_companions: 0 },
  })
  expect(saved.status).toBe(200)
  expect(saved.body).toMatchObject({
    ticket_id: tickets['crew'],
    capacity: 5,
    enabled: false,
    company_field: 'optional',
  })
  expect((await office.get(forms)).body).toEqual({ forms: [saved.body] })
})

test('the ticket need not be named where there is only one', async () => {
  const { office, path } = await openSignups()
  expect(await office.patch(`${path}/guest_list_form`, { guest_list_form: { capacity: 5 } })).toRefuse(422, {
    ticket_id: ["can't be blank"],
  })
  const spring = '/admin/events/spring-night/guest_list_form'
  expect((await office.patch(spring, { guest_list_form: { capacity: 5 } })).body).toMatchObject({ capacity: 5 })
})

test('the one link is read and changed, and a disabled one stays disabled', async () => {
  const { office, path, link } = await openSignups()
  const only = await link({ enabled: false, name: 'Press' })
  expect((await office.get(`${path}/guest_list_form`)).body).toEqual(only)

  const saved = await office.patch(`${path}/guest_list_form`, { guest_list_form: { capacity: 9 } })
  expect(saved.body).toEqual({ ...only, capacity: 9, remaining_capacity: 9 })
  expect(await office.patch(`${path}/guest_list_form`, { guest_list_form: { capacity: 0 } })).toRefuse(422)
  expect(await office.patch('/admin/events/nothing/guest_list_form', { guest_list_form: {} })).toRefuse(404)
})

test('of several links none is "the" one, whatever is sent', async () => {
  const { office, path, forms, link } = await openSignups()
  const both = [await link(), await link()]

  expect(await office.get(`${path}/guest_list_form`)).toRefuse(409, SEVERAL)
  expect(await office.patch(`${path}/guest_list_form`, { guest_list_form: { capacity: 9 } })).toRefuse(409, SEVERAL)
  expect(await office.patch(`${path}/guest_list_form`, { guest_list_form: { capacity: 0 } })).toRefuse(409, SEVERAL)
  expect((await office.get(forms)).body).toEqual({ forms: both })
})
