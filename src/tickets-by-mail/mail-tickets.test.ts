import { expect, test } from 'vitest'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { scanQrCode, viewPdf } from '../../test/kit/browser/pdf-viewer.ts'
import { readPdf } from '../../test/kit/venue/read-pdf.ts'
import { openVenue, type Venue } from '../../test/kit/venue/venue.ts'
import { operatorTransaction } from '../access/operator.ts'
import type { Tx } from '../access/scopes.ts'
import { newCode, newPublicId } from '../kernel/public-ids.ts'
import { bodyOf, header, leaves, mailbox, type Part } from '../../test/kit/network/read-eml.ts'
import type { Mail } from '../mail/mailer.ts'
import { mailTickets } from './jobs.ts'
import { queueTicketMails } from './queue-tickets.ts'

const NAMES = [
  'Zoë Müller',
  'Łukasz Żółć',
  'Иван Петров',
  'Ελένη Παππά',
  '王小明',
  'عمر حسن',
  'שרה כהן',
  '김민준',
  'さくら',
  null,
]

interface PartyRequest {
  size?: number
  address?: string | null
  lead?: string
  status?: 'paid' | 'booking_cancelled'
  placeLabel?: string
}

/** A party as the guest list keeps it; this room only reads it. */
const addParty = async ({ app, file }: Venue, wanted: PartyRequest = {}) => {
  const { size = 1, lead = 'Zoë Müller', status = 'paid', placeLabel = null } = wanted
  const address = wanted.address === undefined ? `${newCode().toLowerCase()}@guest.example` : wanted.address
  const orderCode = newCode()
  const { rows } = await app.database.pool.query<{ id: number }>(
    `with event as (
       select e.account_id, e.id, t.id as ticket_id, t.title from events e
       join accounts a on a.id = e.account_id
       join tickets t on t.account_id = e.account_id and t.event_id = e.id
       where a.subdomain = $1 and e.slug = 'winter-ball' order by t.position limit 1
     )
     insert into orders (account_id, event_id, public_id, order_code, origin, status, customer_name, delivery_email)
     select account_id, id, $2, $3, 'guest_list', $4, $5, $6 from event returning id`,
    [file.account.subdomain, newPublicId(), orderCode, status, lead, address],
  )
  const orderId = rows[0]!.id
  const admissions = Array.from({ length: size }, (_each, index) => ({
    public_id: newPublicId(),
    check_in_code: newCode(),
    position: index + 1,
    is_lead: index === 0,
    attendee_name: index === 0 ? null : NAMES[index % NAMES.length],
    place_label: placeLabel,
  }))
  const added = await app.database.pool.query<{ id: number }>(
    `insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ticket_title, position,
       is_lead, attendee_name, place_label)
     select o.account_id, o.event_id, o.id, a.public_id, a.check_in_code, t.id, t.title, a.position, a.is_lead,
       a.attendee_name, a.place_label
     from orders o
     join lateral (
       select id, title from tickets t where t.account_id = o.account_id and t.event_id = o.event_id
       order by t.position limit 1
     ) t on true,
     json_to_recordset($2) as a (public_id text, check_in_code text, position int, is_lead boolean, attendee_name text,
       place_label text)
     where o.id = $1 returning id`,
    [orderId, JSON.stringify(admissions)],
  )
  return { orderId, orderCode, address, admissions, admissionIds: added.rows.map(({ id }) => id) }
}

const inTransaction = ({ app, file }: Venue, work: (tx: Tx) => Promise<void>) =>
  operatorTransaction(app, async (operator) => {
    const opened = await operator.openAccount(file.account.subdomain)
    await work(opened!.tx)
  })

const pdfOf = (mail: Part) => leaves(mail).find(({ type }) => type === 'application/pdf')!.part

test('a party of twenty with names in nine scripts gets one mail with twenty tickets that a scanner reads', async () => {
  const venue = await openVenue()
  const party = await addParty(venue, { size: 20 })
  await inTransaction(venue, (tx) => queueTicketMails(tx, [party.orderId], 'issued'))
  await venue.workOffJobs()

  const [mail, ...others] = await mailsTo(venue, party.address!)
  expect(others).toEqual([])
  expect(header(mail!, 'subject')).toBe('Your tickets for Winter Ball')
  expect(mailbox(mail!, 'to').name).toBe('Zoë Müller')
  expect(header(pdfOf(mail!), 'content-disposition')).toContain(`tickets-${party.orderCode}.pdf`)
  expect(bodyOf(mail!, 'text/plain')).toMatch(/your\s*20\s*tickets\s*for\s*Winter\s*Ball/)
  expect(bodyOf(mail!, 'text/plain')).toMatch(/Hafenstrasse\s*7,\s*20359\s*Hamburg,\s*DE/)

  const { pages } = readPdf(pdfOf(mail!).body)
  expect(viewPdf(pdfOf(mail!).body).map(scanQrCode)).toEqual(party.admissions.map(({ public_id }) => public_id))
  expect(pages.map(({ missing }) => missing)).toEqual(pages.map(() => 0))
  const read = pages.map(({ texts }) => texts.join(''))
  for (const [index, { attendee_name, is_lead }] of party.admissions.entries()) {
    expect(read[index]).toContain(attendee_name ?? (is_lead ? 'Zoë Müller' : 'Guest of Zoë Müller'))
  }
})

test('nothing leaves before the transaction commits, and nothing at all when it is rolled back', async () => {
  const venue = await openVenue()
  const party = await addParty(venue)
  const failing = inTransaction(venue, async (tx) => {
    await queueTicketMails(tx, [party.orderId], 'issued')
    await venue.workOffJobs()
    expect(await mailsTo(venue, party.address!)).toEqual([])
    throw new Error('The party was not issued after all')
  })
  await expect(failing).rejects.toThrow('not issued after all')
  await venue.workOffJobs()

  expect(await mailsTo(venue, party.address!)).toEqual([])
})

test('a party on the door list only gets no mail, and its job ends well', async () => {
  const venue = await openVenue()
  const [doorOnly, other] = [await addParty(venue, { address: null }), await addParty(venue)]
  const before = venue.logged.length
  await inTransaction(venue, (tx) => queueTicketMails(tx, [doorOnly.orderId, other.orderId], 'issued'))
  await venue.workOffJobs()

  expect(await mailsTo(venue, other.address!)).toHaveLength(1)
  expect(venue.logged.slice(before).filter((line) => line.includes('Job failed'))).toEqual([])
})

test('a party that was cancelled meanwhile gets no mail', async () => {
  const venue = await openVenue()
  const party = await addParty(venue)
  await inTransaction(venue, (tx) => queueTicketMails(tx, [party.orderId], 'issued'))
  await venue.app.database.pool.query(`update orders set status = 'booking_cancelled' where id = $1`, [party.orderId])
  await venue.workOffJobs()

  expect(await mailsTo(venue, party.address!)).toEqual([])
})

test('only guests who are still in the party have a page', async () => {
  const venue = await openVenue()
  const party = await addParty(venue, { size: 3 })
  await venue.app.database.pool.query(`update admissions set status = 'cancelled' where id = $1`, [
    party.admissionIds[1],
  ])
  await inTransaction(venue, (tx) => queueTicketMails(tx, [party.orderId], 'delivered_again'))
  await venue.workOffJobs()

  const [mail] = await mailsTo(venue, party.address!)
  const pages = viewPdf(pdfOf(mail!).body)
  expect(pages.map(scanQrCode)).toEqual([party.admissions[0]!.public_id, party.admissions[2]!.public_id])
  expect(pages[1]!.text).toContain('2 of 2')
})

test('the tickets go to the address the party has when they are sent', async () => {
  const venue = await openVenue()
  const party = await addParty(venue)
  const address = `${newCode().toLowerCase()}@later.example`
  await inTransaction(venue, (tx) => queueTicketMails(tx, [party.orderId], 'delivered_again'))
  await venue.app.database.pool.query('update orders set delivery_email = $2 where id = $1', [party.orderId, address])
  await venue.workOffJobs()

  expect(await mailsTo(venue, party.address!)).toEqual([])
  expect(await mailsTo(venue, address)).toHaveLength(1)
})

test('a mail about a moved seat says which seat is the new one, for those who moved', async () => {
  const venue = await openVenue()
  const party = await addParty(venue, { size: 3, placeLabel: 'Row A Seat 4' })
  await inTransaction(venue, (tx) => queueTicketMails(tx, [party.orderId], 'seat_moved', [party.admissionIds[1]!]))
  await venue.workOffJobs()

  const [mail] = await mailsTo(venue, party.address!)
  expect(header(mail!, 'subject')).toBe('Your new seat for Winter Ball')
  expect(bodyOf(mail!, 'text/plain')).toMatch(/A seat has changed. The new one is:\nŁukasz Żółć:\s*Row\s*A\s*Seat\s*4/)
  expect(bodyOf(mail!, 'text/plain')).not.toContain('Иван')
  expect(readPdf(pdfOf(mail!).body).pages).toHaveLength(3)
})

test('what a guest wrote is shown as text, never as markup or as a header', async () => {
  const venue = await openVenue()
  const party = await addParty(venue, { lead: '<img src=x onerror=alert(1)>\r\nBcc: all' })
  await inTransaction(venue, (tx) => queueTicketMails(tx, [party.orderId], 'issued'))
  await venue.workOffJobs()

  const [mail] = await mailsTo(venue, party.address!)
  const page = bodyOf(mail!, 'text/html')!
  expect(page).toContain('&lt;img')
  expect(page).not.toContain('<img')
  expect(header(mail!, 'bcc')).toBeUndefined()
})

test('an address that cannot be one fails for good, and the log does not name it', async () => {
  const venue = await openVenue()
  const party = await addParty(venue, { address: 'not an address, surely@nowhere' })
  const before = venue.logged.length
  await inTransaction(venue, (tx) => queueTicketMails(tx, [party.orderId], 'issued'))
  await venue.workOffJobs()

  const lines = venue.logged.slice(before)
  expect(
    lines.filter((line) => line.includes('Job failed for good') && line.includes('tickets-by-mail.send')),
  ).toHaveLength(1)
  expect(lines.join('')).not.toContain('surely@nowhere')
})

test('a mail that is sent again by the same job carries the same ID, and one asked for anew another', async () => {
  const venue = await openVenue()
  const party = await addParty(venue)
  const sent: (string | undefined)[] = []
  const mailer = { send: async ({ messageId }: Mail) => void sent.push(messageId), close: () => {} }
  const { rows } = await venue.app.database.pool.query<{ account_id: number }>(
    'select account_id from orders where id = $1',
    [party.orderId],
  )
  const payload = { account_id: rows[0]!.account_id, order_id: party.orderId, reason: 'issued' as const }
  for (const [jobId, attempt] of [
    ['7', 1],
    ['7', 2],
    ['8', 1],
  ] as const) {
    const { app } = venue
    const signal = AbortSignal.timeout(10_000)
    await mailTickets.run(payload, {
      context: { app, mailer },
      log: app.log,
      jobId,
      attempt,
      isLastAttempt: false,
      signal,
    })
  }

  expect(sent[0]).toMatch(/^tickets\.\w{22}\.7$/)
  expect(sent[1]).toBe(sent[0])
  expect(sent[2]).not.toBe(sent[0])
})

test('tickets that staff had sent to themselves say whose they are', async () => {
  const venue = await openVenue()
  const party = await addParty(venue, { size: 2 })
  await venue.app.database.pool.query('update orders set delivers_to_creator = true where id = $1', [party.orderId])
  await inTransaction(venue, (tx) => queueTicketMails(tx, [party.orderId], 'issued'))
  await venue.workOffJobs()

  const [mail] = await mailsTo(venue, party.address!)
  expect(mailbox(mail!, 'to').name).toBe('')
  expect(bodyOf(mail!, 'text/plain')).toMatch(/the\s*2\s*tickets\s*of\s*Zoë\s*Müller/)
})
