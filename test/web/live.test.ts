import { expect, onTestFinished, test } from 'vitest'
import { type LiveMessage, openLiveStream } from '../../web/api/live.ts'
import { openTcpProxy } from '../kit/network/tcp-proxy.ts'
import { type Venue, openVenue } from '../kit/venue/venue.ts'

const openBoard = async () => {
  const venue = await openVenue()
  const proxy = await openTcpProxy({ port: Number(new URL(venue.origin).port), host: '127.0.0.1' })
  onTestFinished(() => proxy.close())
  return { venue, proxy }
}

const listen = (port: number, token: { value: string | undefined }) => {
  const heard: LiveMessage[] = []
  const lines: boolean[] = []
  let signIn: (() => void) | null = null
  const stream = openLiveStream(`http://127.0.0.1:${port}/admin/tasks/stream`, {
    fetch: (url, init) =>
      fetch(url, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token.value}` },
      }),
    onMessage: (message) => heard.push(message),
    onLine: (isOpen) => lines.push(isOpen),
    whenSignedOut: () => new Promise((resolve) => (signIn = resolve)),
  })
  onTestFinished(() => stream.close())
  const kinds = () => heard.filter(({ event }) => event === 'task').map(({ data }) => (data as { kind: string }).kind)
  return { heard, lines, kinds, stream, isWaiting: () => signIn !== null, signIn: () => signIn?.() }
}

const createTask = (venue: Venue, title: string) => venue.office.post('/admin/tasks', { task: { title } })

test('what happens on the board is heard, also what happened while the line was cut, each once', async () => {
  const { venue, proxy } = await openBoard()
  const { heard, lines, kinds } = listen(proxy.port, { value: venue.report.api_tokens['office read'] })
  await expect.poll(() => heard[0]?.event).toBe('ready')
  await createTask(venue, 'one')
  await expect.poll(kinds).toEqual(['created'])

  proxy.refuse()
  await createTask(venue, 'two')
  await createTask(venue, 'three')
  await expect.poll(() => lines.at(-1)).toBe(false)
  proxy.mend()
  await expect.poll(kinds, { timeout: 15_000 }).toEqual(['created', 'created', 'created'])
  await createTask(venue, 'four')
  await expect.poll(kinds).toEqual(['created', 'created', 'created', 'created'])
})

test('whoever was signed out is waited for, and then hears again', async () => {
  const { venue, proxy } = await openBoard()
  const token = { value: venue.report.api_tokens['old'] }
  const { heard, lines, isWaiting, signIn } = listen(proxy.port, token)
  await expect.poll(isWaiting).toBe(true)
  expect([heard, lines]).toEqual([[], []])
  token.value = venue.report.api_tokens['office read']
  signIn()
  await expect.poll(() => heard[0]?.event, { timeout: 10_000 }).toBe('ready')
})

test('a stream that was closed is not opened again', async () => {
  const { venue, proxy } = await openBoard()
  const { heard, stream } = listen(proxy.port, { value: venue.report.api_tokens['office read'] })
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  stream.close()
  await expect.poll(() => proxy.open()).toBe(0)
  await createTask(venue, 'unheard')
  expect(heard.map(({ event }) => event)).toEqual(['ready'])
})

test('a line that breaks is tried anew within a second, however long it took to get through', async () => {
  const outage = 3
  let asked = 0
  let breakLine = () => {}
  const stream = openLiveStream('/admin/tasks/stream', {
    fetch: async () => {
      if (++asked <= outage) throw new TypeError('Failed to fetch')
      return new Response(
        new ReadableStream({ start: (line) => void (breakLine = () => line.error(new TypeError('network error'))) }),
      )
    },
    onMessage: () => {},
  })
  onTestFinished(() => stream.close())
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(outage + 1)
  breakLine()
  // By then whoever tries for the fifth time waits four seconds and more.
  await expect.poll(() => asked, { timeout: 3_500 }).toBe(outage + 2)
})
