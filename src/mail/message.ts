import MimeNode from 'nodemailer/lib/mime-node'
import * as quotedPrintable from 'nodemailer/lib/qp'
import type { Mailbox } from './address.ts'

/** A mail whose parts have been looked through: no text in it breaks out of its place. */
export interface Message {
  from: Required<Mailbox>
  to: Required<Mailbox>
  replyTo: Required<Mailbox> | undefined
  subject: string
  text: string
  html: string
  attachments: readonly { filename: string; contentType: string; content: Buffer }[]
  messageId: string
  date: Date
}

/**
 * The whole mail as it is sent and kept. Headers are written by nodemailer, which knows every script; what is between them
 * is put together here, at once: its streams took longer for a mail with tickets than everything else did.
 */
export const writeMessage = (message: Message): Buffer => {
  const root = new MimeNode(message.attachments.length > 0 ? 'multipart/mixed' : 'multipart/alternative')
  root.setHeader([
    // So that out-of-office notes stay out of the sender's mailbox.
    { key: 'Auto-Submitted', value: 'auto-generated' },
    { key: 'From', value: message.from as unknown as string },
    { key: 'To', value: message.to as unknown as string },
    ...(message.replyTo ? [{ key: 'Reply-To', value: message.replyTo as unknown as string }] : []),
    { key: 'Subject', value: message.subject },
    { key: 'Message-ID', value: message.messageId },
    { key: 'Date', value: message.date.toUTCString().replace('GMT', '+0000') },
  ])
  const texts = [writeText('text/plain', message.text), writeText('text/html', message.html)]
  if (message.attachments.length === 0) return Buffer.from(writeBranch(root, texts))

  const body = writeBranch(root.createChild('multipart/alternative'), texts)
  return Buffer.from(writeBranch(root, [body, ...message.attachments.map((each) => writeAttachment(root, each))]))
}

/** A node with parts in it. Its headers name the line that stands between them. */
const writeBranch = (node: MimeNode, parts: readonly string[]): string => {
  const head = node.buildHeaders()
  const { boundary } = node as unknown as { boundary: string }
  return `${head}\r\n\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
}

const writeAttachment = (
  root: MimeNode,
  { filename, contentType, content }: Message['attachments'][number],
): string => {
  const node = root.createChild(contentType, { filename })
  node.setHeader([
    { key: 'Content-Disposition', value: 'attachment' },
    { key: 'Content-Transfer-Encoding', value: 'base64' },
  ])
  return `${node.buildHeaders()}\r\n\r\n${toBase64(content)}`
}

const writeText = (type: string, text: string): string => {
  const { encoding, body } = encodeText(text.replaceAll(/\r\n|\r|\n/g, '\r\n'))
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`
}

const ASCII = /^[\t\r\n\x20-\x7e]*$/
/** Mail servers break longer ones, or refuse them. */
const LONG_LINE = /[^\r\n]{900}/

/** As it is wherever that can be sent; else so that Latin letters can still be read. */
const encodeText = (text: string): { encoding: string; body: string } => {
  const isAscii = ASCII.test(text)
  if (isAscii && !LONG_LINE.test(text)) return { encoding: '7bit', body: text }
  const bytes = Buffer.from(text)
  const isLatin = isAscii || bytes.length < text.length * LATIN_BYTES
  return isLatin
    ? { encoding: 'quoted-printable', body: quotedPrintable.wrap(quotedPrintable.encode(bytes)) }
    : { encoding: 'base64', body: toBase64(bytes) }
}

/** So many bytes each of its characters has at most, on average. */
const LATIN_BYTES = 1.25

const LINE = 76

const toBase64 = (content: Buffer): string => {
  const text = content.toString('base64')
  let lines = text.slice(0, LINE)
  for (let at = LINE; at < text.length; at += LINE) lines += `\r\n${text.slice(at, at + LINE)}`
  return lines
}
