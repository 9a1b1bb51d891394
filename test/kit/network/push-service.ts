import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedPush {
  path: string
  headers: Record<string, string | string[] | undefined>
  // What the browser would show: whatever Foyer sent.
  // oxlint-disable-next-line typescript/no-explicit-any
  message: any
  claims: { aud: string; exp: number; sub: string }
}

const hkdf = (secret: Buffer, salt: Buffer, info: string | Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** A push service and the browser behind it: checks who calls, and reads what only the browser can read. */
export const openPushService = async () => {
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = randomBytes(16)
  const received: ReceivedPush[] = []
  let status = 201

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        message: JSON.parse(read(Buffer.concat(parts)).toString()),
        claims: readIdentity(request.headers.authorization ?? ''),
      })
      response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const read = (body: Buffer) => {
    const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)]
    const sender = body.subarray(21, 21 + keyLength)
    const sealed = body.subarray(21 + keyLength)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender])
    const secret = hkdf(browser.computeSecret(sender), auth, info, 32)
    const decipher = createDecipheriv(
      'aes-128-gcm',
      hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
      hkdf(secret, salt, 'Content-Encoding: nonce\0', 12),
    )
    decipher.setAuthTag(sealed.subarray(-16))
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    if (padded.at(-1) !== 2) throw new Error('This is not the last record')
    return padded.subarray(0, -1)
  }

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    received,
    answerWith: (next: number) => void (status = next),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const readIdentity = (authorization: string) => {
  const [, told, signature, key] = /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization)!
  const point = Buffer.from(key!, 'base64url')
  const judge = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isOurs = verify(
    'sha256',
    Buffer.from(told!),
    { key: judge, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  )
  if (!isOurs) throw new Error('The signature is wrong')
  return { ...JSON.parse(Buffer.from(told!.split('.')[1]!, 'base64url').toString()), key }
}
