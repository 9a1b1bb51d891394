import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'

interface HeardPush {
  token: string
  topic: string | undefined
  body: string
  /** The pass type in the certificate that the caller showed. */
  certificate: string | undefined
  at: number
}

export type ApnsManners = 'silent' | { status: number; headers?: Record<string, string>; reason?: string }

/** A certificate for a server on this machine, which this process trusts from then on. */
const trustedCertificate = () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'foyer-apns-'))
  try {
    const args = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2']
    const files = ['-keyout', path.join(folder, 'key.pem'), '-out', path.join(folder, 'cert.pem')]
    execFileSync('openssl', ['req', '-x509', ...args, '-addext', 'subjectAltName=IP:127.0.0.1', ...files], {
      stdio: 'ignore',
    })
    const cert = readFileSync(path.join(folder, 'cert.pem'), 'utf8')
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert])
    return { cert, key: readFileSync(path.join(folder, 'key.pem'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Takes pushes as Apple does: over HTTP/2 with TLS, from whoever shows a certificate; and misbehaves when told to. */
export const openApnsListener = async () => {
  const heard: HeardPush[] = []
  const manners = new Map<string, ApnsManners>()
  const sessions = new Set<http2.ServerHttp2Session>()
  const server = http2.createSecureServer({ ...trustedCertificate(), requestCert: true, rejectUnauthorized: false })
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    const pieces: Buffer[] = []
    stream.on('data', (piece: Buffer) => pieces.push(piece))
    stream.on('end', () => {
      const token = String(headers[':path']).replace('/3/device/', '')
      const socket = stream.session?.socket as tls.TLSSocket | undefined
      heard.push({
        token,
        topic: headers['apns-topic'] as string | undefined,
        body: Buffer.concat(pieces).toString(),
        certificate: socket?.getPeerX509Certificate()?.subject.match(/UID=(.*)/)?.[1],
        at: performance.now(),
      })
      const manner = manners.get(token) ?? { status: 200 }
      if (manner === 'silent') return
      stream.respond({ ':status': manner.status, ...manner.headers })
      stream.end(manner.reason ? JSON.stringify({ reason: manner.reason }) : '')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    base: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    manners,
    pushesTo: (token: string) => heard.filter((push) => push.token === token),
    close: async () => {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
