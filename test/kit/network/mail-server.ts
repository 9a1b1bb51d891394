import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export interface TakenMail {
  to: string
  messageId: string
  /** Its beginning as it was sent: headers and text, of tickets not the whole of the paper. */
  source: string
}

const SOURCE_MOST = 20_000

/** A mail server that takes everything and remembers what it took. */
export const openMailServer = async ({ takesMs = 0 } = {}) => {
  const taken: TakenMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 200,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const take = async () => {
        const message = await text(stream)
        taken.push({
          to: session.envelope.rcptTo[0]!.address,
          messageId: /^message-id: (.+)$/im.exec(message)?.[1]?.trim() ?? '',
          source: message.slice(0, SOURCE_MOST),
        })
        // Until it has said yes, the sender cannot know.
        await delay(takesMs)
      }
      take().then(() => done(), done)
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    taken,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
