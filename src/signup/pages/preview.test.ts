import { expect, test } from 'vitest'
import { atShop } from '../../../test/kit/venue/shop.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const FORMS = '/admin/events/winter-ball/guest_list_forms'

test('the preview is the page that guests get, before anything is stored', async () => {
  const venue = await openVenue()
  const settings = {
    ticket_id: venue.report.events['winter-ball']!.tickets['ga'],
    max_companions: 2,
    companion_names_field: 'required',
    phone_field: 'optional',
    asks_questions: true,
  }
  const before = (await venue.office.get(FORMS)).body
  const preview = await venue.office.post(`${FORMS}/preview`, { guest_list_form: settings, language: 'en' })
  expect(preview.status).toBe(200)
  expect(preview.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(preview.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect((await venue.office.get(FORMS)).body).toEqual(before)

  const { public_url: url } = (await venue.office.post(FORMS, { guest_list_form: settings })).body
  const page = await atShop(venue).get(new URL(url).pathname, { headers: { accept: 'text/html' } })
  // Only its links are told where the shop is.
  const { origin } = new URL(url)
  expect(preview.text).toBe(page.text.replaceAll('href="/', `href="${origin}/`))
})

test('it speaks the language that is asked for, and otherwise the one of the account', async () => {
  const venue = await openVenue()
  const ask = async (language?: string) =>
    (await venue.office.post(`${FORMS}/preview`, { guest_list_form: {}, ...(language && { language }) })).text
  expect(await ask('de')).toContain('<html lang="de">')
  expect(await ask()).toContain('<html lang="en">')
  expect((await venue.office.patch('/admin/account', { account: { language: 'de' } })).status).toBe(200)
  expect(await ask()).toContain('<html lang="de">')
  expect(await ask('en')).toContain('<html lang="en">')
})

test('a link that is switched off shows that it is closed, an event that is not public yet how it will be', async () => {
  const venue = await openVenue()
  const off = await venue.office.post(`${FORMS}/preview`, { guest_list_form: { enabled: false } })
  expect(off.text).toContain('This guest list is closed.')
  const draft = await venue.office.post('/admin/events/draft-show/guest_list_forms/preview', { guest_list_form: {} })
  expect(draft.text).toContain('guest_request[name]')
})

test('what is no link is refused by its fields, and only those who change links may look', async () => {
  const venue = await openVenue()
  const refused = async (body: object, errors: Record<string, string[]>) =>
    expect(await venue.office.post(`${FORMS}/preview`, body)).toRefuse(422, errors)
  await refused({ guest_list_form: { company_field: 'maybe' } }, { company_field: ['is not included in the list'] })
  await refused({ guest_list_form: { max_companions: 20 } }, { max_companions: ['must be less than or equal to 19'] })
  await refused({ guest_list_form: {}, language: 'fr' }, { language: ['is not included in the list'] })
  expect(await venue.office.post(`${FORMS}/preview`, {})).toRefuse(400)
  expect(await venue.reader.post(`${FORMS}/preview`, { guest_list_form: {} })).toRefuse(401)
  expect(await venue.door.post(`${FORMS}/preview`, { guest_list_form: {} })).toRefuse(401)
  const elsewhere = '/admin/events/nowhere/guest_list_forms/preview'
  expect(await venue.office.post(elsewhere, { guest_list_form: {} })).toRefuse(404)
})
