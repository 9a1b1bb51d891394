import type { AppServices } from '../../access/app.ts'
import { type Http2Client, openHttp2Client } from '../../outgoing/http2-client.ts'
import type { AppleIssuer } from '../configuration/issuers.ts'
import { RemoteServiceFailed, RemoteServiceBusy, readRetryAfter } from '../remote-service-errors.ts'

const clients = new Map<string, Http2Client>()
const CLIENTS_MAX = 500

/** A connection for each certificate: Apple knows by it whose passes are meant. */
const clientOf = (base: string, { certificate, certificatePem, keyPem }: AppleIssuer): Http2Client => {
  const name = `${base} ${certificate.fingerprint256}`
  const known = clients.get(name)
  if (known) return known
  if (clients.size >= CLIENTS_MAX) {
    for (const client of clients.values()) client.close()
    clients.clear()
  }
  const client = openHttp2Client(base, base.startsWith('https:') ? { cert: certificatePem, key: keyPem } : null)
  clients.set(name, client)
  return client
}

/** What Apple says of a token that leads to no phone any more. */
const DEAD_REASONS = new Set(['BadDeviceToken', 'Unregistered', 'DeviceTokenNotForTopic', 'ExpiredToken'])

/** Tells a phone that a pass has changed; it comes for it by itself. Answers whether the phone is still there. */
export const pushToPhone = async (
  { settings }: Pick<AppServices, 'settings'>,
  issuer: AppleIssuer,
  pushToken: string,
): Promise<'told' | 'gone'> => {
  const { status, headers, body } = await clientOf(settings.apnsBase, issuer).post({
    path: `/3/device/${pushToken}`,
    headers: { 'apns-topic': issuer.passTypeId, 'content-type': 'application/json' },
    body: '{}',
  })
  if (status === 200) return 'told'
  if (status === 410 || (status === 400 && DEAD_REASONS.has(reasonOf(body)))) return 'gone'
  if (status === 429 || status === 503) {
    const after = headers['retry-after']
    throw new RemoteServiceBusy(`Apple answered ${status}`, readRetryAfter(typeof after === 'string' ? after : null))
  }
  throw new RemoteServiceFailed(`Apple answered ${status} ${reasonOf(body)}`.trim(), status < 500)
}

const reasonOf = (body: string): string => {
  try {
    const { reason } = JSON.parse(body) as { reason?: unknown }
    return typeof reason === 'string' && /^\w{1,60}$/.test(reason) ? reason : ''
  } catch {
    return ''
  }
}
