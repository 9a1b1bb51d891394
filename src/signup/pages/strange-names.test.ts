import { expect, test } from 'vitest'
import { newGuest, openSignups } from '../../../test/kit/venue/signups.ts'
import { bodyOf, header, mailbox } from '../../../test/kit/network/read-eml.ts'

const ADDRESS = "can't contain a web address"

test('a name with an address in it is told by its field, on the form and later for companions', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({
    max_companions: 3,
    companion_names_field: 'optional',
    company_field: 'optional',
  })
  const email = newGuest()
  const wrong = {
    name: 'Win at https://evil.example',
    email,
    company: 'www.evil.example',
    companions: 2,
    companion_names: ['Omar', 'http://evil.example'],
  }
  const reply = await ball.sendJson(public_url, { guest_request: wrong })
  expect(reply.status).toBe(422)
  expect(reply.body).toEqual({ errors: { name: [ADDRESS], company: [ADDRESS], companion_names: [ADDRESS] } })
  const page = await ball.sendForm(public_url, [
    ['guest_request[name]', wrong.name],
    ['guest_request[email]', email],
  ])
  expect(page.text).toContain('Name can&#39;t contain a web address</a>')
  expect(await ball.mailsTo(email)).toEqual([])

  await ball.submit(public_url, { name: 'Ada', email })
  const own = await ball.ownPage(email)
  const added = await ball.sendJson(`${own}/companions`, {
    guest_addition: { companions: 1, companion_names: ['www.evil.example'] },
  })
  expect([added.status, added.body]).toEqual([422, { errors: { companion_names: [ADDRESS] } }])
})

test('of names by the hundred those are judged that a link lets in', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ max_companions: 3, companion_names_field: 'optional' })
  const names = Array.from({ length: 400 }, (): [string, string] => [
    'guest_request[companion_names][]',
    'www.evil.example',
  ])
  const page = await ball.sendForm(public_url, [['guest_request[name]', 'Ada'], ...names])
  expect(page.status).toBe(422)
  expect(page.text).toContain('Name of companion 3 can&#39;t contain a web address</a>')
  expect(page.text).not.toContain('Name of companion 4')
})

test('what a link does not ask for is dropped, whatever it says', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ company_field: 'hidden', max_companions: 0 })
  const fields = { name: 'Ada', email: newGuest(), company: 'www.evil.example', companion_names: ['www.evil.example'] }
  expect((await ball.sendJson(public_url, { guest_request: fields })).status).toBe(201)
})

test.each([
  ['evil.example', false],
  ['Call 0900 123 456 now', false],
  ['Your account is closed. Write to help@evil.example', false],
  [`Dear customer, ${'please read on '.repeat(6)}`, false],
  ['Zoë O’Neil-Łukasz, Jr.', true],
  ['J. R. R. Tolkien', true],
  ['王小明', true],
  ['عمر الشريف', true],
])('tickets for “%s” go out, and greet by a plain name only', async (name, isGreeted) => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ approval_mode: 'automatic' })
  const email = newGuest()
  await ball.submit(public_url, { name, email })
  const [mail] = await ball.ticketMailsTo(email)
  const whole = [bodyOf(mail!, 'text/plain'), bodyOf(mail!, 'text/html'), header(mail!, 'Subject')].join('\n')
  expect(whole.includes(name.trim())).toBe(isGreeted)
  expect(mailbox(mail!, 'To')).toEqual({ name: isGreeted ? name : '', address: email })
  expect(whole).toContain(isGreeted ? `Hello ${name},` : 'Hello,')
})
