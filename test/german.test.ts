import { globSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Dictionary } from '../src/languages/rules.ts'
import { askAtHost } from './kit/network/ask-at-host.ts'
import { bodyOf, header, leaves } from './kit/network/read-eml.ts'
import { BUYER, offerTransfers, openBuyer } from './kit/venue/checkouts.ts'
import { mailsTo } from './kit/venue/outbox.ts'
import { readPdf } from './kit/venue/read-pdf.ts'
import { newGuest, openSignups } from './kit/venue/signups.ts'
import { documentAt, hostOf } from './kit/venue/shop.ts'
import { type Venue, openVenue } from './kit/venue/venue.ts'

const ROOT = path.join(import.meta.dirname, '..')
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'

/** Every English sentence of every dictionary that is another one in German. */
const sentences: string[] = []

const collect = (en: object, de: object) => {
  for (const [key, english] of Object.entries(en)) {
    const german: unknown = de[key as keyof typeof de]
    if (typeof english === 'string') {
      if (english !== german && english.includes(' ')) sentences.push(english)
    } else if (typeof english === 'object') collect(english as object, german as object)
  }
}

beforeAll(async () => {
  for (const file of globSync('src/**/*words.ts', { cwd: ROOT })) {
    for (const words of Object.values((await import(path.join(ROOT, file))) as Record<string, unknown>)) {
      const { en, de } = words as Partial<Dictionary<object>>
      if (en && de) collect(en, de)
    }
  }
})

const visible = (html: string) =>
  html
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')

const expectGerman = (text: string) => {
  expect(sentences.length).toBeGreaterThan(100)
  const read = visible(text)
  expect(sentences.filter((sentence) => read.includes(sentence))).toEqual([])
}

const ask = async (venue: Pick<Venue, 'origin'>, host: string, address: string, more: Record<string, string> = {}) => {
  const headers = { host, accept: HTML, ...more }
  const reply = await askAtHost(venue.origin, address, { method: 'GET', headers })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

const german = { 'accept-language': 'de-CH,de;q=0.9,en;q=0.5' }

test('the pages of a shop are German for a browser that asks for it, and English for others', async () => {
  const venue = await openVenue()
  for (const [address, status] of [
    ['/events', 200],
    ['/events/winter-ball', 200],
    ['/events/no-such-night', 404],
    ['/nowhere', 404],
    ['/guest_list/unknown', 404],
  ] as const) {
    const page = await ask(venue, hostOf(venue), address, german)
    expect(page.status, address).toBe(status)
    expect(page.text, address).toContain('<html lang="de">')
    expect(page.headers.get('vary'), address).toContain('Accept-Language')
    expectGerman(page.text)
    expect((await ask(venue, hostOf(venue), address)).text, address).toContain('<html lang="en">')
  }
})

test('a venue that speaks German does so unless English is asked for, and its JSON is the same for all', async () => {
  const venue = await openVenue((file) => (file['account'].language = 'de'))
  const host = hostOf(venue)
  for (let round = 0; round < 3; round++) {
    expect((await ask(venue, host, '/events')).text).toContain('<h1 dir="auto">Programm</h1>')
    expect((await ask(venue, host, '/events', { 'accept-language': 'en' })).text).toContain('Programme</h1>')
    expect((await ask(venue, host, '/events', german)).text).toContain('<h1 dir="auto">Programm</h1>')
  }
  const json = await ask(venue, host, '/events', { accept: 'application/json', ...german })
  expect(json.headers.get('vary')).toBe('Accept, Accept-Encoding')
  expect(json.text).toBe((await ask(venue, host, '/events', { accept: 'application/json' })).text)
  const refused = await ask(venue, host, '/nowhere', { accept: 'application/json' })
  expect(JSON.parse(refused.text)).toEqual({ error: 'Not found' })
})

test('the pages for signing in follow the browser', async () => {
  const venue = await openVenue()
  const { host } = new URL(venue.origin)
  for (const address of [
    '/sign_in',
    '/sign_in?out=1',
    '/password',
    '/sign_in/links/x',
    '/password/x',
    '/invitations/x',
  ]) {
    const page = await ask(venue, host, address, german)
    expect(page.text, address).toContain('<html lang="de">')
    expectGerman(page.text)
  }
})

test('who signs up on a German page reads German faults, and gets German mails and tickets', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ approval_mode: 'automatic', max_companions: 2 })
  const { pathname, host } = new URL(public_url)
  const send = async (fields: Record<string, string>) => {
    const reply = await askAtHost(ball.origin, pathname, {
      method: 'POST',
      headers: { host, accept: HTML, 'content-type': 'application/x-www-form-urlencoded', ...german },
      body: new URLSearchParams(
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [`guest_request[${name}]`, value])),
      ).toString(),
    })
    return { status: reply.status, text: await reply.text(), location: reply.headers.get('location') }
  }

  const form = await ask(ball, host, pathname, german)
  expectGerman(form.text)
  const refused = await send({ name: '', email: 'x', companions: '9' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Name muss ausgefüllt sein')
  expect(refused.text).toContain('E-Mail-Adresse ist ungültig')
  expect(refused.text).toContain('Begleitung darf höchstens 2 sein')
  expectGerman(refused.text)

  const email = newGuest()
  const { location } = await send({ name: 'Ada Lovelace', email, companions: '1' })
  const own = await ask(ball, host, location!, german)
  expect(own.text).toContain('Sie stehen auf der Liste')
  expectGerman(own.text)

  const [mail] = await ball.ticketMailsTo(email)
  expect(header(mail!, 'subject')).toBe('Ihre Tickets für Winter Ball')
  expect(bodyOf(mail!, 'text/html')).toContain('<html lang="de"')
  expect(bodyOf(mail!, 'text/plain')).toContain('Ihre 2 Tickets für Winter Ball finden Sie im Anhang als PDF')
  expectGerman(bodyOf(mail!, 'text/plain')!)
  expect(leaves(mail!).some(({ type }) => type === 'application/pdf')).toBe(true)
})

const textOfPdf = (file: Buffer) => readPdf(file).pages.flatMap(({ texts }) => texts)

/** A shop that speaks German, with a buyer of its own whose mails are read. */
const openGermanShop = async () => {
  const buyer = await openBuyer((file) => {
    file['account'].language = 'de'
    file['events'][0].tickets[0].tax_rate = '19.00'
    file['vouchers'] = [{ key: 'small', amount: '20.00' }]
  })
  await offerTransfers(buyer.venue)
  const email = newGuest()
  const begin = async (quantity: number) => {
    const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity }])
    await buyer.change(token, { ...BUYER, customer_email: email })
    return token
  }
  /** The mails since the last time, each with its text and its documents. */
  let read = 0
  const newMails = async () => {
    await buyer.settle()
    const all = await mailsTo(buyer.venue, email)
    const found = all.slice(read)
    read = all.length
    return found.map((mail) => {
      const text = bodyOf(mail, 'text/plain')!
      expectGerman(text)
      expectGerman(bodyOf(mail, 'text/html')!)
      const pdfs = leaves(mail).filter(({ type }) => type === 'application/pdf')
      return { subject: header(mail, 'subject'), text, pdfs: pdfs.map(({ part }) => textOfPdf(part.body)) }
    })
  }
  return { ...buyer, beginAs: begin, newMails }
}

test('a German buyer reads German from the receipt to the refund', async () => {
  const shop = await openGermanShop()
  const { office, report } = shop.venue
  const token = await shop.beginAs(2)
  await shop.post(`/checkouts/${token}/vouchers`, { code: report.vouchers['small']!.code })
  await shop.decide((await shop.pay(token)).body.payment.redirect_url, 'paid')
  const [bought, ...more] = await shop.newMails()
  expect(more).toEqual([])
  expect(bought).toMatchObject({ subject: 'Ihre Tickets für Winter Ball' })
  expect(bought!.text).toContain('Bestellung öffnen')
  const [tickets, receipt] = bought!.pdfs
  expectGerman(tickets!.join('\n'))
  expect(tickets!.join(' ')).toMatch(/Einlass|Beginn|Ticket/)
  expectGerman(receipt!.join('\n'))
  for (const words of [
    'Rechnung',
    'Menge',
    'Summe',
    'Mit Gutscheinen bezahlt',
    'Enthaltene Steuer',
    '19,00 %',
    'Netto',
    'Seite 1',
  ]) {
    expect(receipt!.join('\n'), words).toContain(words)
  }

  const { order } = await shop.see(token)
  await office.post(`/admin/orders/${order.public_id}/refunds`, {
    admission_public_ids: [order.admissions[0].public_id],
  })
  const [refunded] = await shop.newMails()
  expect(refunded).toMatchObject({ subject: 'Eine Erstattung für Winter Ball' })
  expect(refunded!.text).toContain('Wir erstatten Ihnen')
  const [back] = refunded!.pdfs
  expectGerman(back!.join('\n'))
  for (const words of ['Erstattungsbeleg', 'Zur Rechnung', 'Auf Gutscheine zurückgebucht', 'Erstattet']) {
    expect(back!.join('\n'), words).toContain(words)
  }
  const page = await ask(shop.venue, hostOf(shop.venue), `/orders/${token}`)
  expect(page.text).toContain('<html lang="de">')
  expectGerman(page.text)
  expectGerman(textOfPdf(await documentAt(shop.venue, `/orders/${token}/tickets.pdf`)).join('\n'))
})

test('a German buyer is told in German how to pay, that it is not paid yet, and that it was given up', async () => {
  const shop = await openGermanShop()
  const token = await shop.beginAs(1)
  expect((await shop.pay(token, 'bank_transfer')).status).toBe(200)
  const [how] = await shop.newMails()
  expect(how).toMatchObject({ subject: 'So bezahlen Sie Winter Ball' })
  expect(how!.text).toContain('Bitte geben Sie die Bestellung')
  await shop.venue.moveClock('5 days')
  await shop.settle()
  const [reminder] = await shop.newMails()
  expect(reminder).toMatchObject({ subject: 'Ihre Bestellung für Winter Ball ist noch nicht bezahlt' })
  await shop.venue.moveClock('4 days')
  await shop.settle()
  const [cancelled] = await shop.newMails()
  expect(cancelled).toMatchObject({ subject: 'Ihre Bestellung für Winter Ball wurde storniert' })
})
