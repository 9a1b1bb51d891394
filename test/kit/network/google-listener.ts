import { type KeyObject, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

interface HeardCall {
  method: string
  path: string
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** The claims of a token that was signed with this key; throws when it was not. */
export const readJwt = (token: string, key: KeyObject) => {
  const [head, claims, signature] = token.split('.')
  const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature!, 'base64url'))
  if (!isSigned || JSON.parse(Buffer.from(head!, 'base64url').toString()).alg !== 'RS256') {
    throw new Error('The signature is wrong')
  }
  return JSON.parse(Buffer.from(claims!, 'base64url').toString())
}

const ACCESS = 'access-for-tests'

/** Gives out access as Google does, keeps classes and objects of passes, and misbehaves when told to. */
export const openGoogleListener = async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const heard: HeardCall[] = []
  // oxlint-disable-next-line typescript/no-explicit-any
  const kept = new Map<string, any>()

  const answer = (method: string, path: string, authorization: string | undefined, text: string): [number, object] => {
    if (path === '/token') {
      const form = new URLSearchParams(text)
      const claims = readJwt(form.get('assertion')!, createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })))
      heard.push({ method, path, body: claims })
      return claims.aud === `${listener.base}/token` ? [200, { access_token: ACCESS, expires_in: 3600 }] : [400, {}]
    }
    const body = JSON.parse(text)
    heard.push({ method, path, body })
    if (listener.status !== 200) return [listener.status, {}]
    if (authorization !== `Bearer ${ACCESS}`) return [401, {}]
    const [, kind, id] = /^\/walletobjects\/v1\/(eventTicket(?:Class|Object))(?:\/(.+))?$/.exec(path) ?? []
    if (!kind) return [404, {}]
    const key = `${kind} ${id === undefined ? body.id : decodeURIComponent(id)}`
    if (method === 'POST' && kept.has(key)) return [409, {}]
    if (method === 'PATCH' && !kept.has(key)) return [404, {}]
    kept.set(key, { ...kept.get(key), ...body })
    return [200, kept.get(key)]
  }

  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString()
      const [status, body] = answer(request.method!, request.url!, request.headers.authorization, text)
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const listener = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    kept,
    publicKey,
    /** What it answers to everything but those who ask for access. */
    status: 200,
    /** The file of the service account. */
    serviceAccount: JSON.stringify({
      client_email: 'foyer@tests.example',
      private_key_id: 'k1',
      private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
      token_uri: 'https://nowhere.example/token',
    }),
    calls: (method: string, kind: 'Class' | 'Object') =>
      heard.filter((call) => call.method === method && call.path.includes(`eventTicket${kind}`)),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return listener
}
