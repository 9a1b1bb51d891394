import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { faultOfMessage } from '../venue/client.ts'
import { openTestApp } from '../venue/venue.ts'

export interface HeardMessage {
  path: string
  headers: http.IncomingHttpHeaders
  text: string
}

const SIGNED_WITH = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/** The far end of webhooks: writes down what it hears, and answers as it is told to. */
export interface WebhookListener {
  address: string
  heard: HeardMessage[]
  answer: { status: number; headers?: Record<string, string> }
  /** How long it takes to answer. */
  holdsBackMs: number
  /** What arrived at a path, in the order it did. */
  // Tests name the fields they are about.
  // oxlint-disable-next-line typescript/no-explicit-any
  bodies(path: string): any[]
  /** Fails when something arrived that the API description does not describe. */
  requireDescribed(): void
  /** Has heard nothing and answers with 200 again. */
  reset(): void
  /** The same, and nobody is there any more. */
  close(): void
}

export const openWebhookListener = async (): Promise<WebhookListener> => {
  let faults: string[] = []
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8')
      const fault = faultOfMessage(text)
      if (fault) faults.push(fault)
      faults.push(...SIGNED_WITH.filter((name) => !request.headers[name]).map((name) => `no ${name}: ${text}`))
      listener.heard.push({ path: request.url!, headers: request.headers, text })
      const { status, headers } = listener.answer
      setTimeout(() => response.writeHead(status, headers).end('whatever'), listener.holdsBackMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const listener: WebhookListener = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: [],
    answer: { status: 200 },
    holdsBackMs: 0,
    bodies: (path) => listener.heard.filter((each) => each.path === path).map(({ text }) => JSON.parse(text)),
    reset: () => {
      listener.heard = []
      listener.answer = { status: 200 }
      listener.holdsBackMs = 0
    },
    requireDescribed: () => {
      const found = faults
      faults = []
      expect(found, 'messages that the API description does not describe').toEqual([])
    },
    close: () => {
      server.close()
      listener.requireDescribed()
    },
  }
  return listener
}

/** An installation for the whole test file, with somebody at the far end of its webhooks who has heard nothing before each test. */
export const openVenueWithListener = async () => {
  const listener = await openWebhookListener()
  const running = await openTestApp({ environment: { FOYER_PRIVATE_NETWORKS: 'on' } })
  beforeEach(() => listener.reset())
  afterEach(() => listener.requireDescribed())
  afterAll(async () => {
    await running.close()
    listener.close()
  })
  return { listener, running }
}
