import { expect, test } from 'vitest'
import { BUYER, offerTransfers, openBuyer } from '../../test/kit/venue/checkouts.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { form } from '../../test/kit/venue/sessions.ts'
import type { VenueFile } from '../../test/kit/venue/neue-halle.ts'
import { header } from '../../test/kit/network/read-eml.ts'
import { openAccountForJob } from '../access/job-scope.ts'
import { compareCounters } from '../inventory/consistency/records.ts'
import { findOrderFaults } from '../orders/consistency/records.ts'

const EVENT = '/admin/events/winter-ball'
const CANCELLED = { base: ['This event is cancelled'] }

const QUESTIONS = [
  { key: 'heard', label: 'Heard of us', type: 'select', scope: 'order', options: ['Friends', 'Radio'] },
  { key: 'music', label: 'Music', type: 'multi_select', scope: 'order', options: ['Jazz', 'Soul', 'Disco'] },
  { key: 'motto', label: 'Motto', type: 'text', scope: 'order' },
  { key: 'diet', label: 'Diet', type: 'text', scope: 'attendee' },
]

/** A buyer who has answered all there is, and the venue that changes its mind meanwhile. */
const openAnswering = async (change?: (file: VenueFile) => void) => {
  const buyer = await openBuyer((file) => {
    file['events'][0].questions = QUESTIONS
    file['vouchers'] = [{ key: 'small', amount: '10.00' }]
    change?.(file)
  })
  const { venue, tickets } = buyer
  const { office } = venue
  const { questions } = venue.report.events['winter-ball']!
  const id = (key: string) => String(questions[key])
  const email = `berit.${Math.random().toString(36).slice(2)}@guest.example`
  const customer = {
    ...BUYER,
    customer_email: email,
    custom_field_answers: { [id('heard')]: 'Radio', [id('music')]: ['Jazz', 'Soul'], [id('motto')]: 'Dance' },
    attendees: [{ name: 'Ada Guest', custom_field_answers: { [id('diet')]: 'vegan' } }, { name: 'Bo Guest' }],
  }
  const fillIn = async (items: object[] = [{ ticket_id: tickets['ga'], quantity: 2 }]) => {
    const token = await buyer.begin(items)
    const changed = await buyer.change(token, customer)
    expect(changed.status, changed.text).toBe(200)
    return token
  }
  /** Where the buyer pays. */
  const goToPay = async (token: string): Promise<string> => {
    const paying = await buyer.pay(token)
    expect(paying.status, paying.text).toBe(200)
    return paying.body.payment.redirect_url
  }
  const ask = async (question: object) => {
    const reply = await office.post(`${EVENT}/questions`, { question })
    expect(reply.status, reply.text).toBe(201)
  }
  const changeQuestion = async (key: string, question: object) => {
    const reply = await office.patch(`${EVENT}/questions/${id(key)}`, { question })
    expect(reply.status, reply.text).toBe(200)
  }
  const removeQuestion = async (key: string) =>
    expect((await office.delete(`${EVENT}/questions/${id(key)}`)).status).toBe(204)
  const callOff = async (by: 'cancellation' | 'archival' = 'cancellation') => {
    const reply = await office.post(`${EVENT}/${by}`, {})
    expect(reply.status, reply.text).toBe(200)
  }
  const answersOf = async (token: string) => {
    const { order } = await buyer.see(token)
    const { body } = await office.get(`/admin/orders/${order.public_id}`)
    return {
      order: body.customer.custom_field_answers,
      guests: body.admissions.map((each: { custom_field_answers: object }) => each.custom_field_answers),
    }
  }
  const claimed = async () => {
    const listed = (await office.get(`${EVENT}/tickets`)).body.tickets
    return listed.map((each: { claimed_count: number }) => each.claimed_count)
  }
  const query = async (text: string) =>
    (await venue.app.database.pool.query(text, [venue.report.account.id])).rows as Record<string, unknown>[]
  const paymentsKept = () =>
    query(`select status, amount_cents - refunded_cents as kept from payments where account_id = $1 order by id`)
  const orders = async () => (await query(`select id from orders where account_id = $1 and origin = 'shop'`)).length
  const sound = async () => {
    const { id: accountId } = venue.report.account
    expect(await compareCounters(venue.app.database.kysely, accountId)).toEqual([])
    expect(await findOrderFaults((await openAccountForJob(venue.app, accountId))!.rows)).toEqual([])
  }
  const told = async () => (await mailsTo(venue, email)).map((mail) => header(mail, 'subject'))
  const visit = async (path: string, language = 'en') =>
    buyer.shop.get(path, { headers: { accept: 'text/html', 'accept-language': language } })
  return {
    ...buyer,
    id,
    email,
    fillIn,
    goToPay,
    ask,
    changeQuestion,
    removeQuestion,
    callOff,
    answersOf,
    claimed,
    paymentsKept,
    orders,
    sound,
    told,
    visit,
  }
}

type Answering = Awaited<ReturnType<typeof openAnswering>>

const MORE = { label: 'Shirt size', type: 'text', scope: 'order', required: true }

test.each<[string, (buyer: Answering) => Promise<void>]>([
  ['a question is added that must be answered', ({ ask }) => ask(MORE)],
  ['each guest must answer one more', ({ ask }) => ask({ ...MORE, scope: 'attendee' })],
  ['a question must be answered by now', ({ changeQuestion }) => changeQuestion('diet', { required: true })],
])('what is paid while %s becomes tickets', async (_name, alter) => {
  const buyer = await openAnswering()
  const { id } = buyer
  const token = await buyer.fillIn()
  const redirectUrl = await buyer.goToPay(token)
  const vouched = await buyer.fillIn()
  await buyer.post(`/checkouts/${vouched}/vouchers`, { code: buyer.venue.report.vouchers['small']!.code })
  const otherUrl = await buyer.goToPay(vouched)
  const open = await buyer.fillIn()
  await alter(buyer)
  for (const url of [redirectUrl, otherUrl])
    expect((await buyer.decide(url, 'paid')).body).toMatchObject({ status: 'paid' })
  for (const each of [token, vouched]) {
    expect(await buyer.see(each)).toMatchObject({ status: 'paid', order: { admissions: [{}, {}] } })
    expect(await buyer.answersOf(each)).toEqual({
      order: { [id('heard')]: 'Radio', [id('music')]: ['Jazz', 'Soul'], [id('motto')]: 'Dance' },
      guests: [{ [id('diet')]: 'vegan' }, {}],
    })
  }
  // Whoever has not paid yet can still answer, and must.
  expect((await buyer.pay(open)).status).toBe(422)
  await buyer.sound()
})

/** What the checkout's own page sends. */
const sendForm = ({ shop }: Answering, token: string, fields: Record<string, string>, path = '') =>
  shop.ask('POST', `/checkouts/${token}${path}`, form(fields, {}))

test.each<[string, (buyer: Answering, token: string) => Promise<unknown>]>([
  ['money alone', async () => {}],
  [
    'a voucher and money',
    (buyer, token) => buyer.post(`/checkouts/${token}/vouchers`, { code: buyer.venue.report.vouchers['small']!.code }),
  ],
])('whoever pays again by %s, while more is asked by now, is led to the payment under way', async (_name, prepare) => {
  const buyer = await openAnswering()
  await offerTransfers(buyer.venue)
  const token = await buyer.fillIn()
  await prepare(buyer, token)
  const redirectUrl = await buyer.goToPay(token)
  await buyer.ask(MORE)
  await buyer.ask({ ...MORE, label: 'Shoe size', scope: 'attendee' })

  const again = await buyer.pay(token)
  expect([again.status, again.body]).toMatchObject([200, { status: 'pending', payment: { redirect_url: redirectUrl } }])
  // Another way to pay is another payment: the one under way has to be ended first, whatever is asked.
  expect(await buyer.pay(token, 'bank_transfer')).toRefuse(422, { base: ['Another payment is under way'] })
  expect(await buyer.paymentsKept()).toMatchObject([{ status: 'pending' }])

  expect((await buyer.decide(redirectUrl, 'paid')).body).toMatchObject({ status: 'paid' })
  expect(await buyer.see(token)).toMatchObject({ status: 'paid', order: { admissions: [{}, {}] } })
  await buyer.sound()
})

test.each([
  ['en', 'Your payment is under way', 'Continue to the payment', 'Shirt size'],
  ['de', 'Ihre Zahlung läuft', 'Weiter zur Zahlung', 'Shirt size'],
])('the page leads back to the payment under way, and asks what is new once it was stopped (%s)', async (...words) => {
  const [language, underWay, goOn, question] = words
  const buyer = await openAnswering()
  const token = await buyer.fillIn()
  const redirectUrl = await buyer.goToPay(token)
  await buyer.ask(MORE)
  const visit = async () => (await buyer.visit(`/checkouts/${token}`, language)).text

  const pressed = await sendForm(buyer, token, { intent: 'pay', payment_method: 'test' })
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, `/checkouts/${token}`])
  const page = await visit()
  expect(page).toContain(`<h1>${underWay}</h1>`)
  expect(page).toContain(`href="${redirectUrl}"`)
  expect(page).toContain(goOn)

  expect((await sendForm(buyer, token, { intent: 'other' })).status).toBe(303)
  expect(await visit()).toContain(question)
  expect((await buyer.pay(token)).status).toBe(422)
  const { questions } = await buyer.see(token)
  const { id } = questions.find(({ label }: { label: string }) => label === question)
  expect((await buyer.change(token, { custom_field_answers: { [id]: 'M' } })).status).toBe(200)
  expect((await buyer.decide(await buyer.goToPay(token), 'paid')).body).toMatchObject({ status: 'paid' })
  expect((await buyer.answersOf(token)).order).toEqual({ [id]: 'M' })
  await buyer.sound()
})

test('answers to what is asked no longer, or otherwise, are left out of the order', async () => {
  const buyer = await openAnswering()
  const { id } = buyer
  const token = await buyer.fillIn()
  const redirectUrl = await buyer.goToPay(token)
  await buyer.changeQuestion('heard', { options: ['Friends', 'Press'], required: true })
  await buyer.changeQuestion('music', { options: ['Soul', 'Disco'] })
  await buyer.changeQuestion('motto', { type: 'number', required: true })
  await buyer.removeQuestion('diet')
  expect((await buyer.decide(redirectUrl, 'paid')).body).toMatchObject({ status: 'paid' })
  expect(await buyer.see(token)).toMatchObject({ status: 'paid', order: { status: 'paid', admissions: [{}, {}] } })
  expect(await buyer.answersOf(token)).toEqual({ order: { [id('music')]: ['Soul'] }, guests: [{}, {}] })
  await buyer.sound()
})

test('a buyer without a name, who cannot have an order, gets the money back', async () => {
  const buyer = await openAnswering()
  const { venue } = buyer
  const token = await buyer.fillIn()
  const redirectUrl = await buyer.goToPay(token)
  await venue.app.database.pool.query('update checkouts set customer_name = null where account_id = $1', [
    venue.report.account.id,
  ])
  expect((await buyer.decide(redirectUrl, 'paid')).body).toMatchObject({ status: 'paid' })
  expect(await buyer.see(token)).toMatchObject({ status: 'expired', order: null })
  await buyer.settle()
  expect(await buyer.paymentsKept()).toEqual([{ status: 'paid', kept: 0 }])
  expect(await buyer.claimed()).toEqual([0, 0, 0, 0, 0])
})

test.each(['cancellation', 'archival'] as const)('money that comes after the %s of its event goes back', async (by) => {
  const buyer = await openAnswering()
  const token = await buyer.fillIn([{ ticket_id: buyer.tickets['seat'], place_keys: ['A-1', 'A-2'] }])
  const redirectUrl = await buyer.goToPay(token)
  const vouched = await buyer.fillIn()
  await buyer.post(`/checkouts/${vouched}/vouchers`, { code: buyer.venue.report.vouchers['small']!.code })
  const otherUrl = await buyer.goToPay(vouched)
  const before = await buyer.orders()
  await buyer.callOff(by)
  for (const url of [redirectUrl, otherUrl])
    expect((await buyer.decide(url, 'paid')).body).toMatchObject({ status: 'paid' })
  for (const each of [token, vouched])
    expect(await buyer.see(each)).toMatchObject({ status: 'expired', vouchers: [], order: null })
  await buyer.settle()
  expect(await buyer.paymentsKept()).toEqual([
    { status: 'paid', kept: 0 },
    { status: 'paid', kept: 0 },
  ])
  expect(await buyer.told()).toEqual(Array(2).fill('Your payment for Winter Ball goes back'))
  expect(await buyer.orders()).toBe(before)
  expect(await buyer.claimed()).toEqual([0, 0, 0, 0, 0])
  await buyer.sound()
})

test('nothing is paid any more for an event that was cancelled', async () => {
  const buyer = await openAnswering((file) => {
    file['events'][0].tickets[0].price = '0.00'
  })
  await offerTransfers(buyer.venue)
  const seats = (...keys: string[]) => [{ ticket_id: buyer.tickets['seat'], place_keys: keys }]
  const open = await buyer.fillIn(seats('A-1', 'A-2'))
  const free = await buyer.fillIn()
  const pending = await buyer.fillIn(seats('A-4', 'A-5'))
  await buyer.goToPay(pending)
  const ordered = await buyer.fillIn(seats('W-1', 'W-1C'))
  expect((await buyer.pay(ordered, 'bank_transfer')).body).toMatchObject({ order: { status: 'unpaid' } })
  const before = [await buyer.orders(), await buyer.paymentsKept()]
  await buyer.callOff()
  for (const token of [open, free, pending]) expect(await buyer.pay(token)).toRefuse(422, CANCELLED)
  expect(await buyer.pay(open, 'bank_transfer')).toRefuse(422, CANCELLED)
  expect([await buyer.orders(), await buyer.paymentsKept()]).toEqual(before)
  expect(await buyer.see(open)).toMatchObject({ status: 'open' })
  // An order that is there is told as it is.
  expect((await buyer.pay(ordered, 'bank_transfer')).body).toMatchObject({ order: { status: 'unpaid' } })
  await buyer.sound()
})

test('late money for an event that was cancelled meanwhile goes back', async () => {
  const buyer = await openAnswering()
  const token = await buyer.fillIn()
  await buyer.decide(await buyer.goToPay(token), 'late')
  await buyer.callOff()
  await buyer.venue.moveClock('16 minutes')
  for (let n = 0; n < 2; n++) {
    await buyer.settle()
    await buyer.venue.moveClock('10 minutes')
  }
  expect(await buyer.see(token)).toMatchObject({ status: 'expired', order: null })
  expect(await buyer.paymentsKept()).toEqual([{ status: 'paid', kept: 0 }])
  expect(await buyer.told()).toEqual(['Your payment for Winter Ball goes back'])
  expect(await buyer.claimed()).toEqual([0, 0, 0, 0, 0])
  await buyer.sound()
})

test('nobody is reminded to pay for an event that is cancelled', async () => {
  const buyer = await openAnswering()
  await offerTransfers(buyer.venue)
  const token = await buyer.fillIn()
  expect((await buyer.pay(token, 'bank_transfer')).body).toMatchObject({ order: { status: 'unpaid' } })
  await buyer.callOff()
  await buyer.settle()
  const before = await buyer.told()
  await buyer.venue.moveClock('5 days')
  await buyer.settle()
  expect(await buyer.told()).toEqual(before)
})

test('the pages of a checkout say that its event is cancelled', async () => {
  const buyer = await openAnswering()
  const open = await buyer.fillIn()
  const pending = await buyer.fillIn()
  const redirectUrl = await buyer.goToPay(pending)
  await buyer.callOff()
  for (const token of [open, pending]) {
    const page = await buyer.visit(`/checkouts/${token}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('<h1>This event is cancelled</h1>')
    expect(page.text).not.toContain(redirectUrl)
    expect((await buyer.visit(`/checkouts/${token}`, 'de')).text).toContain('Diese Veranstaltung ist abgesagt')
    for (const reply of [
      await sendForm(buyer, token, { intent: 'pay', payment_method: 'test' }),
      await sendForm(buyer, token, {}, '/items'),
      await buyer.visit(`/checkouts/${token}/items`),
    ])
      expect([reply.status, reply.headers.get('location')]).toEqual([303, `/checkouts/${token}`])
    expect((await sendForm(buyer, token, { intent: 'cancel' })).status).toBe(303)
    expect(await buyer.see(token)).toMatchObject({ status: 'cancelled' })
    expect((await buyer.visit(`/checkouts/${token}`)).text).toContain('This event is cancelled')
  }
  expect(await buyer.claimed()).toEqual([0, 0, 0, 0, 0])
})
