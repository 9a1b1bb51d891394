import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Misconfigured } from '../kernel/settings.ts'
import { UndeliverableAddress } from './address.ts'
import { type Mail, type Mailer, openMailer } from './mailer.ts'
import { createSortableNames } from './outbox.ts'
import { bodyOf, header, leaves, mailbox, readEml } from '../../test/kit/network/read-eml.ts'

let dataFolder: string
let outbox: string
let closers: (() => unknown)[]

beforeEach(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'foyer-mail-'))
  outbox = path.join(dataFolder, 'outbox')
  closers = []
})

afterEach(async () => {
  for (const close of closers.toReversed()) await close()
  await rm(dataFolder, { recursive: true })
})

const mailer = (settings: { smtpUrl?: string; mailFrom?: string } = {}): Mailer => {
  const opened = openMailer({ smtpUrl: null, mailFrom: 'Foyer <no-reply@foyer.example>', dataFolder, ...settings })
  closers.push(opened.close)
  return opened
}

const ticket = (mail: Partial<Mail> = {}): Mail => ({
  to: { name: 'Zoë Łukasz', address: 'zoe@guests.example' },
  subject: 'Your ticket',
  text: 'See you at the door.\n',
  html: '<p>See you at the door.</p>',
  ...mail,
})

const sentMails = async () => {
  const files = (await readdir(outbox)).filter((file) => file.endsWith('.eml')).toSorted()
  return Promise.all(files.map(async (file) => readEml(await readFile(path.join(outbox, file)))))
}

test('a mail in the outbox is whole: both parts, who, when, and that a machine wrote it', async () => {
  await mailer().send(ticket())

  const [mail] = await sentMails()
  expect(header(mail!, 'From')).toBe('Foyer <no-reply@foyer.example>')
  expect(header(mail!, 'To')).toBe('Zoë Łukasz <zoe@guests.example>')
  expect(header(mail!, 'Reply-To')).toBeUndefined()
  expect(header(mail!, 'Subject')).toBe('Your ticket')
  expect(header(mail!, 'Auto-Submitted')).toBe('auto-generated')
  expect(header(mail!, 'Message-ID')).toMatch(/^<\w+@foyer\.example>$/)
  expect(Math.abs(Date.parse(header(mail!, 'Date')!) - Date.now())).toBeLessThan(10_000)
  expect(header(mail!, 'X-Mailer')).toBeUndefined()
  expect(leaves(mail!).map((leaf) => leaf.type)).toEqual(['text/plain', 'text/html'])
  expect(bodyOf(mail!, 'text/plain')).toBe('See you at the door.\n')
  expect(bodyOf(mail!, 'text/html')).toContain('<p>See you at the door.</p>')
})

test('a venue’s mail comes from the address of the house under the name of the venue, and answers go to the venue', async () => {
  const app = mailer()
  await app.send(ticket({ from: { name: 'Kaispeicher', replyTo: 'office@kaispeicher.example' } }))
  await app.send(ticket({ from: { name: 'Kaispeicher', replyTo: null } }))
  await app.send(ticket({ from: { name: '\r\n', replyTo: null } }))

  const mails = await sentMails()
  expect(mails.map((mail) => [header(mail, 'From'), header(mail, 'Reply-To')])).toEqual([
    ['Kaispeicher <no-reply@foyer.example>', 'Kaispeicher <office@kaispeicher.example>'],
    ['Kaispeicher <no-reply@foyer.example>', undefined],
    ['Foyer <no-reply@foyer.example>', undefined],
  ])
})

test('the outbox belongs to its owner alone', async () => {
  await mailer().send(ticket())
  expect((await stat(outbox)).mode & 0o777).toBe(0o700)
  const [file] = await readdir(outbox)
  expect((await stat(path.join(outbox, file!))).mode & 0o777).toBe(0o600)
})

test('file names sort in sending order, also when mails are sent at once', async () => {
  const app = mailer()
  await Promise.all(Array.from({ length: 30 }, (_, index) => app.send(ticket({ subject: `Mail ${index}` }))))
  await app.send(ticket({ subject: 'Mail 30' }))

  expect((await sentMails()).map((mail) => header(mail, 'Subject'))).toEqual(
    Array.from({ length: 31 }, (_, index) => `Mail ${index}`),
  )
})

test('file names sort in sending order when the clock is set back', () => {
  const times = [Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 2), Date.UTC(2029, 0, 1)]
  const nextName = createSortableNames(() => times.shift()!)
  const names = [nextName(), nextName(), nextName()]
  expect(names.toSorted()).toEqual(names)
})

test('nobody ever sees half a mail in the outbox', async () => {
  const app = mailer()
  const attachment = { filename: 'big.pdf', contentType: 'application/pdf', content: Buffer.alloc(2_000_000, 'x') }
  await app.send(ticket())
  const sent = new AbortController()
  const sending = Promise.all(Array.from({ length: 8 }, () => app.send(ticket({ attachments: [attachment] })))).finally(
    () => sent.abort(),
  )

  const sizes = new Set<number>()
  while (!sent.signal.aborted) {
    for (const file of await readdir(outbox)) {
      if (file.endsWith('.eml')) sizes.add((await stat(path.join(outbox, file))).size)
    }
  }
  await sending

  const complete = await Promise.all(
    (await readdir(outbox)).map(async (file) => (await stat(path.join(outbox, file))).size),
  )
  expect(complete).toHaveLength(9)
  expect([...sizes].filter((size) => !complete.includes(size))).toEqual([])
})

test.each([
  ['Latin', 'Zoë Łukasz-Ångström, Jr.'],
  ['Greek', 'Ελένη Παπαδοπούλου'],
  ['Cyrillic', 'Дмитрий Шостакович'],
  ['Han', '王小明與他的朋友們一起來看演出很久很久的名字'],
  ['Arabic', 'عمر الشريف'],
  ['Devanagari', 'रवि शंकर'],
  ['quotes', 'Zoe "DJ" O\'Neil, \\o/ (she)'],
  ['emoji and quotes', '"DJ" 🎧 <Ωmega> \\ o/'],
])('a name and a subject in %s come back as they were', async (_script, name) => {
  await mailer().send(
    ticket({
      to: { name, address: 'guest@guests.example' },
      from: { name, replyTo: 'office@venue.example' },
      subject: `Tickets: ${name}`,
      text: `${name}\n`,
      html: `<p>${name}</p>`,
    }),
  )

  const [mail] = await sentMails()
  expect(mailbox(mail!, 'From')).toEqual({ name, address: 'no-reply@foyer.example' })
  expect(mailbox(mail!, 'Reply-To')).toEqual({ name, address: 'office@venue.example' })
  expect(mailbox(mail!, 'To')).toEqual({ name, address: 'guest@guests.example' })
  expect(header(mail!, 'Subject')).toBe(`Tickets: ${name}`)
  expect(bodyOf(mail!, 'text/plain')).toBe(`${name}\n`)
  expect(bodyOf(mail!, 'text/html')).toContain(name)
})

test('attachments arrive byte for byte, under their name', async () => {
  const content = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256))
  await mailer().send(
    ticket({ attachments: [{ filename: '../Ticket Zoë.pdf', contentType: 'application/pdf', content }] }),
  )

  const [mail] = await sentMails()
  const attachment = leaves(mail!).find((leaf) => leaf.type === 'application/pdf')!
  expect(attachment.part.body.equals(content)).toBe(true)
  expect(attachment.part.headers.get('content-disposition')![0]).toMatch(/^attachment/)
  expect(attachment.part.headers.get('content-disposition')![0]).not.toContain('/')
})

const INJECTIONS = [
  'Eve\r\nBcc: everyone@victim.example',
  'Eve\nBcc: everyone@victim.example',
  'Eve\rBcc: x@victim.example',
  'Eve\u2028Bcc: y',
]

test.each(INJECTIONS)('a line break in a name, a subject or a file name adds no header (%j)', async (evil) => {
  await mailer().send(
    ticket({
      to: { name: evil, address: 'eve@guests.example' },
      from: { name: evil, replyTo: 'office@venue.example' },
      subject: evil,
      attachments: [{ filename: evil, contentType: `text/plain\r\n${evil}`, content: Buffer.from('x') }],
    }),
  )

  const [mail] = await sentMails()
  expect(header(mail!, 'Bcc')).toBeUndefined()
  for (const leaf of leaves(mail!)) expect(leaf.part.headers.has('bcc')).toBe(false)
  expect(header(mail!, 'Subject')).toMatch(/^Eve Bcc: /)
})

test.each([
  'a@b.example, c@d.example',
  'a@b.example;c@d.example',
  'a@b.example c@d.example',
  'Eve <a@b.example>',
  '<a@b.example>',
  'a@b.example\r\nBcc: c@d.example',
  'a@b.example\n',
  ' a@b.example',
  '"a b"@c.example',
  'group:a@b.example;',
  'a@b@c.example',
  'a(comment)@b.example',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@b.example/evil.example',
  'a@bücher.example/evil.example',
  'a@%62.example',
  'a@b..example',
  'a@-b.example',
  'a@.example',
  '.a@b.example',
  'a..b@c.example',
  'a@',
  '@b.example',
  'nobody',
  '',
  `${'a'.repeat(65)}@b.example`,
  `a@${'b'.repeat(64)}.example`,
  `a@${'b.'.repeat(130)}example`,
])('%j is no address to send to', async (address) => {
  const error: unknown = await mailer()
    .send(ticket({ to: { address } }))
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UndeliverableAddress)
  expect(error).toMatchObject({ permanent: true })
  expect(await readdir(dataFolder)).toEqual([])
})

test.each([
  ["o'neil+tickets@guests.example", "o'neil+tickets@guests.example"],
  ['zoe@bücher.example', 'zoe@xn--bcher-kva.example'],
  ['zoe@例え.テスト', 'zoe@xn--r8jz45g.xn--zckzah'],
  ['root@localhost', 'root@localhost'],
  ['a@sub.1and1.example', 'a@sub.1and1.example'],
])('%s is an address, written as %s', async (address, written) => {
  await mailer().send(ticket({ to: { address } }))
  expect(header((await sentMails())[0]!, 'To')).toBe(written)
})

test.each([
  ['Foyer <no-reply@localhost>', 'Foyer <no-reply@localhost>', 'localhost'],
  ['"Foyer, the house" <hi@foyer.example>', '"Foyer, the house" <hi@foyer.example>', 'foyer.example'],
  ['no-reply@foyer.example', 'no-reply@foyer.example', 'foyer.example'],
  ['Foyer <no-reply@127.0.0.1>', 'Foyer <no-reply@[127.0.0.1]>', '[127.0.0.1]'],
  ['Foyer <no-reply@[::1]>', 'Foyer <no-reply@[ipv6:::1]>', '[IPv6:::1]'],
])('the house sends from %s', async (mailFrom, shown, domain) => {
  await mailer({ mailFrom }).send(ticket({ messageId: 'delivery-12' }))
  const [mail] = await sentMails()
  expect(header(mail!, 'From')).toBe(shown)
  expect(header(mail!, 'Message-ID')).toBe(`<delivery-12@${domain}>`)
})

test('a sender that is no address is a wrong setting', () => {
  expect(() => mailer({ mailFrom: 'Foyer' })).toThrow(Misconfigured)
  expect(() => mailer({ mailFrom: 'a@b.example, c@d.example' })).toThrow(Misconfigured)
})

test('an ID that could break out of its header is refused', async () => {
  await expect(mailer().send(ticket({ messageId: 'a>\r\nBcc: b@c.example' }))).rejects.toThrow('The ID of a mail')
})

const openPostOffice = async (answerRecipient: (address: string) => number | null = () => null) => {
  const received: { session: SMTPServerSession; message: Buffer }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => {
      const responseCode = answerRecipient(address)
      callback(responseCode ? Object.assign(new Error(`<${address}> no`), { responseCode }) : null)
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          session: structuredClone({ envelope: session.envelope }) as SMTPServerSession,
          message: Buffer.concat(chunks),
        })
        callback()
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  closers.push(() => new Promise<void>((resolve) => server.close(resolve)))
  return { received, smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}

test('with SMTP_URL a mail goes to the mail server and not to the outbox', async () => {
  const { received, smtpUrl } = await openPostOffice()
  const app = mailer({ smtpUrl })
  await app.send(ticket({ to: { name: '王小明', address: 'wang@bücher.example' } }))
  await app.send(ticket())

  // The mail server shows domains as people write them.
  expect(received.map(({ session }) => session.envelope.rcptTo.map(({ address }) => address))).toEqual([
    ['wang@bücher.example'],
    ['zoe@guests.example'],
  ])
  expect(received[0]!.session.envelope.mailFrom).toMatchObject({ address: 'no-reply@foyer.example' })
  const mail = readEml(received[0]!.message)
  expect(header(mail, 'To')).toBe('王小明 <wang@xn--bcher-kva.example>')
  expect(leaves(mail).map((leaf) => leaf.type)).toEqual(['text/plain', 'text/html'])
  expect(await readdir(dataFolder)).toEqual([])
})

test.each([
  ['dots, at the beginning of lines', '.\n..\n.hidden\n-- \nThe house\n', '7bit'],
  ['a line that is too long', `${'long '.repeat(400)}\nend\n`, 'quoted-printable'],
  ['umlauts', `Grüße aus Köln = 100 %\n${'Straße und Größe, '.repeat(20)}\n`, 'quoted-printable'],
  ['another script', `${'こんにちは、世界。'.repeat(30)}\n`, 'base64'],
  ['line breaks of others', 'one\r\ntwo\rthree\nfour\n', '7bit'],
])('a text with %s comes through the mail server as it was, in short lines of ASCII', async (_what, text, encoding) => {
  const { received, smtpUrl } = await openPostOffice()
  const content = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256))
  const attachments = [{ filename: 'ticket.pdf', contentType: 'application/pdf', content }]
  await mailer({ smtpUrl }).send(ticket({ text, html: `<p>${text}</p>`, attachments }))

  const mail = readEml(received[0]!.message)
  const plain = leaves(mail).find((leaf) => leaf.type === 'text/plain')!
  expect(plain.part.headers.get('content-transfer-encoding')).toEqual([encoding])
  const unix = (written: string) => written.replaceAll(/\r\n|\r/g, '\n')
  expect(unix(bodyOf(mail, 'text/plain')!)).toBe(unix(text))
  expect(unix(bodyOf(mail, 'text/html')!)).toBe(unix(`<p>${text}</p>`))
  expect(leaves(mail).at(-1)!.part.body.equals(content)).toBe(true)
  const lines = received[0]!.message.toString('latin1').split('\r\n')
  expect(lines.filter((line) => line.length > 900 || !/^[\t\x20-\x7e]*$/.test(line))).toEqual([])
})

test('a recipient the server refuses for good is not tried again, and the log learns no address', async () => {
  const { received, smtpUrl } = await openPostOffice((address) => (address.startsWith('nobody') ? 550 : null))
  const app = mailer({ smtpUrl })

  const error: unknown = await app
    .send(ticket({ to: { address: 'nobody@guests.example' } }))
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UndeliverableAddress)
  expect(String(error)).toContain('550')
  expect(String(error)).not.toContain('nobody')

  await app.send(ticket())
  expect(received).toHaveLength(1)
})

test('a recipient the server refuses for now is worth another try', async () => {
  const { smtpUrl } = await openPostOffice(() => 451)
  const error: unknown = await mailer({ smtpUrl })
    .send(ticket())
    .catch((thrown: unknown) => thrown)
  expect(error).not.toBeInstanceOf(UndeliverableAddress)
  expect(String(error)).toMatch(/did not take the mail.*451/)
})

test('a mail server that is not there makes sending fail, so that the job tries again', async () => {
  const { smtpUrl } = await unusedPort()
  const error: unknown = await mailer({ smtpUrl })
    .send(ticket())
    .catch((thrown: unknown) => thrown)
  expect(error).not.toBeInstanceOf(UndeliverableAddress)
  expect(error).toMatchObject({ message: expect.stringContaining('did not take the mail'), code: 'ESOCKET' })
})

test('a mail server that hangs up makes sending fail', async () => {
  const server = createServer((socket) => socket.end('421 too busy\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(mailer({ smtpUrl }).send(ticket())).rejects.toThrow('did not take the mail')
})

const unusedPort = async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return { smtpUrl: `smtp://127.0.0.1:${port}` }
}
