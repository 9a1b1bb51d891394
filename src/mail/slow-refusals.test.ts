import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { openMailer } from './mailer.ts'

test('an address that is refused slowly keeps nobody else’s mail back', async ({ onTestFinished }) => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => {
      if (!address.startsWith('nobody')) return callback()
      // As servers do that want to tire out those who guess.
      void delay(2_100).then(() => callback(Object.assign(new Error('no'), { responseCode: 550 })))
    },
    onData: (stream, _session, callback) => void stream.resume().on('end', () => callback()),
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'foyer@house.example', dataFolder: '' })
  onTestFinished(async () => {
    mailer.close()
    await new Promise<void>((resolve) => server.close(resolve))
  })

  const mailTo = (address: string) =>
    mailer.send({ to: { address }, subject: 'Your ticket', text: 'See you.', html: '<p>See you.</p>' })
  await expect(mailTo('nobody@guests.example')).rejects.toThrow('550')
  await mailTo('ada@guests.example')
})
