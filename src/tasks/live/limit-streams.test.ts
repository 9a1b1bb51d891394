import net from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from '../../../test/kit/network/event-stream.ts'
import { openVenueIn } from '../../../test/kit/venue/venue-in.ts'
import { openTestApp } from '../../../test/kit/venue/venue.ts'

const openStrictBoard = async () => {
  const running = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on' } })
  onTestFinished(() => running.close())
  const displays = Array.from({ length: 11 }, (_, n) => `display ${n}`)
  const { report } = await openVenueIn(running, (file) => {
    for (const description of displays) file['api_tokens'].push({ description, permission: 'read' })
  })
  const watch = async (description: string) => {
    const authorization = `Bearer ${report.api_tokens[description]}`
    const stream = await openEventStream(`${running.origin}/admin/tasks/stream`, { authorization })
    onTestFinished(() => stream.close())
    return stream
  }
  const watchMany = (count: number, description: string) =>
    Promise.all(Array.from({ length: count }, () => watch(description)))
  return { ...running, report, displays, watch, watchMany }
}

test('one credential watches the board thirty times at once, and once more when one has left', async () => {
  const { watch, watchMany } = await openStrictBoard()
  const streams = await watchMany(40, 'display 0')
  const [open, refused] = [200, 429].map((status) => streams.filter((stream) => stream.status === status))
  expect([open!.length, refused!.length]).toEqual([30, 10])
  expect(Number(refused![0]!.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await watch('display 1')).status).toBe(200)

  await open![0]!.close()
  await expect.poll(async () => (await watch('display 0')).status).toBe(200)
})

test('all credentials of an account watch it three hundred times at once', async () => {
  const { displays, watch, watchMany } = await openStrictBoard()
  for (const display of displays.slice(0, 10)) {
    expect(new Set((await watchMany(30, display)).map(({ status }) => status))).toEqual(new Set([200]))
  }
  expect((await watch(displays[10]!)).status).toBe(429)
})

test('whoever leaves before the stream has begun counts for nothing', async () => {
  const { origin, report, watchMany } = await openStrictBoard()
  const { port, host } = new URL(origin)
  const head = [
    'GET /admin/tasks/stream HTTP/1.1',
    `host: ${host}`,
    'accept: text/event-stream',
    `authorization: Bearer ${report.api_tokens['display 0']}`,
  ]
  for (let n = 0; n < 60; n++) {
    const socket = net.connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    await new Promise((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n`, resolve))
    setTimeout(() => socket.resetAndDestroy(), n / 10)
  }
  await expect
    .poll(
      async () => {
        const streams = await watchMany(30, 'display 0')
        const statuses = new Set(streams.map(({ status }) => status))
        await Promise.all(streams.map((stream) => stream.close()))
        return statuses
      },
      { interval: 500 },
    )
    .toEqual(new Set([200]))
})
