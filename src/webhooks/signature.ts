import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

/** The secret as Standard Webhooks writes it, so that their libraries take it as it is. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

export interface MessageToSign {
  id: string
  timestamp: number
  body: string
}

/** The headers of Standard Webhooks: who it is, when it was sent, and the proof of both together with the body. */
export const signedHeaders = (secret: string, { id, timestamp, body }: MessageToSign): Record<string, string> => {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` }
}
