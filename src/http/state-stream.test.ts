import { expect, test } from 'vitest'
import type { AppServices } from '../access/app.ts'
import { openLog } from '../kernel/log.ts'
import { streamState } from './state-stream.ts'

test('what could not be told once is told later, though nothing changes any more', async () => {
  const logged: string[] = []
  const app = { log: openLog('warn', (line) => logged.push(line)) } as unknown as AppServices
  const closing = new AbortController()
  let reads = 0
  const stream = await streamState({
    watched: { app, name: 'the night', findVersion: async () => '1', everyMs: 20 },
    event: 'night',
    read: async () => {
      reads++
      if (reads === 1) throw new Error('the database is away')
      return { arrived: 7 }
    },
    readmit: async () => ({}),
    closing: closing.signal,
  })
  let said = ''
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    said += chunk.toString()
    if (said.includes('data:')) closing.abort()
  }
  expect(said).toContain('event: night\ndata: {"arrived":7}')
  expect(logged).toEqual([expect.stringContaining('the night could not be told')])
})
