import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { CircuitOpen } from './circuit-breaker.ts'
import { ServiceUnavailable, openConfiguredService } from './configured-service.ts'
import { CallStalled, limitIdleReceiving, limitIdleSending, createIdleTimeout } from './time-limits.ts'

const IDLE_MS = 1_000
const REST_MS = 1_200

/** A service at a private address that answers, or takes requests and says nothing. */
const openService = async () => {
  let isSilent = false
  let asked = 0
  const server = http.createServer((request, response) => {
    asked++
    request.resume()
    if (!isSilent) request.on('end', () => response.end('here'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const call = openConfiguredService({ slowMs: IDLE_MS / 2, restMs: REST_MS })
  const get = () =>
    call((signal) => fetch(url, { signal }), createIdleTimeout({ ms: IDLE_MS })).then(
      (response) => response.text(),
      (error: Error) => error,
    )
  return { url, call, get, asked: () => asked, setSilent: (silent: boolean) => (isSilent = silent) }
}

test('a configured service that stands still is not asked for a while, then by one, then by all', async () => {
  const service = await openService()
  expect(await service.get()).toBe('here')

  service.setSilent(true)
  expect(await service.get()).toMatchObject({ name: 'ServiceUnavailable', cause: expect.any(CallStalled) })
  const turnedAway = await Promise.all(Array.from({ length: 20 }, service.get))
  for (const error of turnedAway) expect((error as Error).cause).toBeInstanceOf(CircuitOpen)
  expect(service.asked()).toBe(2)

  service.setSilent(false)
  await delay(REST_MS + 20)
  expect(await service.get()).toBe('here')
  expect(await Promise.all([service.get(), service.get()])).toEqual(['here', 'here'])
})

test('an upload may last longer than the limit, and one that its sender breaks off turns nobody else away', async () => {
  const service = await openService()
  const upload = async (bytes: AsyncGenerator<string>) => {
    const idle = createIdleTimeout({ ms: IDLE_MS })
    const body = Readable.toWeb(limitIdleSending(Readable.from(bytes, { objectMode: false }), idle))
    return service.call((signal) => fetch(service.url, { method: 'PUT', body, duplex: 'half', signal }), idle)
  }
  async function* slowly(end: () => void) {
    for (let n = 0; n < 6; n++) {
      yield 'piece'
      await delay(IDLE_MS / 4)
    }
    end()
  }
  expect((await upload(slowly(() => {}))).status).toBe(200)

  const broken = slowly(() => {
    throw new Error('The sender went away')
  })
  await expect(upload(broken)).rejects.toThrow('The service is not available')
  expect(await service.get()).toBe('here')
})

test('a body that stands still ends with the error of its reader', async () => {
  const idle = createIdleTimeout({ ms: IDLE_MS, error: () => new ServiceUnavailable('No more of it') })
  const body = new Readable({ read: () => {} })
  body.push('a piece')
  await expect(limitIdleReceiving(body, idle).toArray()).rejects.toThrow('No more of it')
})
