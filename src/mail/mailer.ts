import path from 'node:path'
import { Readable } from 'node:stream'
import nodemailer, { type Transporter } from 'nodemailer'
import { CircuitOpen, openCircuitBreaker } from '../outgoing/circuit-breaker.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import type { Settings } from '../kernel/settings.ts'
import { type Mailbox, oneLine, normalizeMailbox, parseSender, UndeliverableAddress } from './address.ts'
import { writeMessage } from './message.ts'
import { openOutbox, createSortableNames } from './outbox.ts'
import type { VenueSender } from './records.ts'

export interface Mail {
  to: Mailbox
  subject: string
  text: string
  html: string
  attachments?: { filename: string; contentType: string; content: Buffer }[]
  /** Without one it is Foyer that writes. */
  from?: VenueSender
  /** The same for every attempt at one mail, so that a mail sent twice shows up once. */
  messageId?: string
}

export interface Mailer {
  /** Rejects when the mail was not taken; with UndeliverableAddress when trying again cannot help. */
  send(mail: Mail): Promise<void>
  close(): void
}

const CONNECTIONS_MAX = 3
const CONNECTION_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
const SOCKET_TIMEOUT_MS = 30_000

export const openMailer = (settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'dataFolder'>): Mailer => {
  const sender = parseSender(settings.mailFrom)
  const deliver = settings.smtpUrl
    ? smtpDelivery(settings.smtpUrl)
    : outboxDelivery(path.join(settings.dataFolder, 'outbox'))
  return {
    send: async (mail) => deliver.send(compose(sender, mail)),
    close: deliver.close,
  }
}

interface Sent {
  content: Buffer
  messageId: string
  envelope: { from: string; to: string[] }
}

const compose = (sender: Required<Mailbox>, mail: Mail): Sent => {
  const to = normalizeMailbox(mail.to)
  const messageId = showMessageId(mail.messageId ?? newPublicId(), sender.address)
  const content = writeMessage({
    from: { ...sender, name: oneLine(mail.from?.name ?? '') || sender.name },
    to,
    replyTo: mail.from?.replyTo ? normalizeMailbox({ name: mail.from.name, address: mail.from.replyTo }) : undefined,
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    attachments: (mail.attachments ?? []).map((each) => ({
      filename: oneLine(each.filename).replaceAll(/[/\\]/g, '-'),
      contentType: oneLine(each.contentType),
      content: each.content,
    })),
    messageId,
    date: new Date(),
  })
  return { content, messageId, envelope: { from: sender.address, to: [to.address] } }
}

const showMessageId = (id: string, senderAddress: string) => {
  if (!/^[\w.+=-]{1,200}$/.test(id)) throw new Error('The ID of a mail is made of letters, digits and .+=-_ only')
  return `<${id}@${senderAddress.slice(senderAddress.lastIndexOf('@') + 1)}>`
}

const outboxDelivery = (folder: string) => {
  const outbox = openOutbox(folder)
  const nextName = createSortableNames()
  return {
    send: async ({ content }: Sent) => outbox.put(nextName(), content),
    close: () => {},
  }
}

const smtpDelivery = (url: string) => {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
  })
  // A server that answers with a code is there, however long it thought about an address.
  const call = openCircuitBreaker({ isOutage: (error) => (error as SmtpError).responseCode === undefined })
  return {
    send: async (sent: Sent) => {
      try {
        await call(() => handOver(transport.transporter, sent))
      } catch (error) {
        throw explain(error)
      }
    },
    close: () => transport.close(),
  }
}

/** To the pool itself: the mail is composed, and would only be taken apart and put together once more. */
const handOver = (pool: SmtpPool, { content, messageId, envelope }: Sent) =>
  new Promise<void>((resolve, reject) => {
    const message = {
      // Each attempt is given its own: the pool writes into it.
      getEnvelope: () => ({ from: envelope.from, to: [...envelope.to] }),
      messageId: () => messageId,
      getHeader: () => messageId,
      createReadStream: () => wholeOf(content),
    }
    const mail = { data: {}, message } as unknown as Parameters<SmtpPool['send']>[0]
    pool.send(mail, (error) => (error ? reject(error) : resolve()))
  })

/** As one piece. */
const wholeOf = (content: Buffer): Readable =>
  new Readable({
    highWaterMark: content.length + 1,
    read() {
      this.push(content)
      this.push(null)
    },
  })

type SmtpPool = Transporter['transporter']

interface SmtpError extends Error {
  code?: string
  command?: string
  responseCode?: number
}

/** Mailbox unavailable, not local, not a name, domain takes no mail. Other refusals may be about us, and may pass. */
const NOBODY_THERE = new Set([550, 551, 553, 556])

/** What servers answer repeats the recipient's address, which has no place in the log; the cause keeps it. */
const explain = (error: unknown): Error => {
  if (error instanceof CircuitOpen) return new Error('The mail server did not answer a moment ago', { cause: error })
  const { code, command, responseCode } = error as SmtpError
  if (command === 'RCPT TO' && responseCode && NOBODY_THERE.has(responseCode)) {
    return new UndeliverableAddress(`The mail server refused the recipient with ${responseCode}`, { cause: error })
  }
  const reason = [code, command, responseCode].filter(Boolean).join(', ')
  return Object.assign(
    new Error(`The mail server did not take the mail (${reason || 'no reason given'})`, { cause: error }),
    { code },
  )
}
