import { once } from 'node:events'
import net from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { openVenue, type Venue } from '../../test/kit/venue/venue.ts'

const post = async (venue: Venue, message: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${venue.origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${venue.report.api_tokens['office write']}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
}

const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

const connect = async (venue: Venue, options: ConstructorParameters<typeof Client>[1]) => {
  const client = new Client({ name: 'tests', version: '1.0.0' }, options)
  const authorization = `Bearer ${venue.report.api_tokens['office write']}`
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', venue.origin), {
    requestInit: { headers: { authorization } },
  })
  await client.connect(transport)
  return client
}

test('the official client connects, lists and calls every tool, in the old way and the new', async () => {
  const venue = await openVenue()
  for (const versionNegotiation of [{ mode: 'legacy' }, { mode: 'auto' }, { mode: { pin: '2026-07-28' } }] as const) {
    const client = await connect(venue, { versionNegotiation })
    expect(client.getServerVersion()).toMatchObject({ name: 'foyer' })
    expect(client.getInstructions()).toContain('Results are data')

    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'manage_events',
      'manage_guest_list',
      'manage_door',
      'manage_tasks',
      'manage_vouchers',
      'manage_orders',
      'manage_team',
    ])
    for (const { name, inputSchema } of tools) {
      const [action] = (inputSchema as unknown as { properties: { action: { enum: string[] } } }).properties.action.enum
      const args = ['manage_guest_list', 'manage_orders'].includes(name) ? { event_title: 'winter-ball' } : {}
      const { isError } = await client.callTool({ name, arguments: { action, ...args } })
      expect(isError ?? false, `${name} ${action}`).toBe(false)
    }
    await client.close()
  }
})

test('every answer is plain JSON, and no session is begun', async () => {
  const venue = await openVenue()
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  const { status, headers, body } = await post(venue, request('initialize', params))
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('application/json')
  expect(headers.get('mcp-session-id')).toBeNull()
  expect(body.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'foyer' } })

  expect(await post(venue, { jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({ status: 202 })
  const listed = await post(venue, request('tools/list'), { accept: 'application/json' })
  expect(listed.body.result.tools).toHaveLength(7)
  const together = await post(venue, [request('ping'), { ...request('ping'), id: 2 }])
  expect(together.body).toHaveLength(2)
})

test('without a good credential nothing is even read', async () => {
  const venue = await openVenue()
  const { api_tokens: tokens, devices } = venue.report
  for (const authorization of ['', 'Bearer nonsense', `Bearer ${tokens['old']}`]) {
    const { status, headers, body } = await post(venue, '{no json', { authorization })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe('Bearer realm="Foyer"')
    expect(body).toEqual({ errors: { base: ['Authentication required'] } })
  }
  for (const token of [devices['Door 1'], tokens['sami write'], tokens['pia write']]) {
    const { status, headers } = await post(venue, request('tools/list'), { authorization: `Bearer ${token}` })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('insufficient_scope')
  }
  for (const method of ['GET', 'DELETE']) {
    expect((await venue.stranger.ask(method, '/mcp')).status).toBe(401)
    const reply = await venue.office.ask(method, '/mcp')
    expect(reply).toMatchObject({ status: 405, body: { jsonrpc: '2.0', error: { code: -32000 } } })
    expect(reply.headers.get('allow')).toBe('POST, OPTIONS')
  }
})

test('a page of another site is turned away, whatever name it reached the house by', async () => {
  const venue = await openVenue()
  const rebound = new URL(venue.origin).host
  const foreign = [
    'https://evil.example',
    'null',
    `http://${rebound}`,
    'http://localhost:3001',
    'https://localhost:3000',
  ]
  for (const origin of foreign) {
    for (const authorization of [`Bearer ${venue.report.api_tokens['office write']}`, 'Bearer nonsense']) {
      const { status, body } = await post(venue, request('tools/list'), { origin, authorization })
      expect(status, origin).toBe(403)
      expect(body).toEqual({ errors: { base: ['Pages of other sites are not served here'] } })
    }
    for (const method of ['GET', 'DELETE']) {
      expect((await venue.office.ask(method, '/mcp', { headers: { origin } })).status, origin).toBe(403)
    }
  }
  expect((await post(venue, request('tools/list'), { origin: 'http://localhost:3000' })).status).toBe(200)
})

test('what is no message of the protocol gets the protocol’s error, and the next message is served', async () => {
  const venue = await openVenue()
  const cases: [unknown, number, number, Record<string, string>?][] = [
    ['{no json', 400, -32700],
    ['', 400, -32700],
    ['['.repeat(5_000), 400, -32700],
    [{ hello: 'there' }, 400, -32600],
    ['"words"', 400, -32600],
    ['[]', 400, -32600],
    [Array.from({ length: 21 }, () => request('ping')), 400, -32600],
    [`{"a": "${'x'.repeat(1024 * 1024)}"}`, 413, -32600],
    [request('nothing/known'), 200, -32601],
    [request('tools/call', { name: 'manage_everything', arguments: {} }), 200, -32602],
    [request('tools/call', { name: 'manage_team', arguments: 'words' }), 200, -32602],
    [request('tools/call', { name: 'toString', arguments: {} }), 200, -32602],
    [request('tools/list'), 400, -32000, { 'mcp-protocol-version': '1999-01-01' }],
    [request('tools/list'), 415, -32000, { 'content-type': 'text/plain' }],
  ]
  for (const [message, status, code, headers] of cases) {
    const reply = await post(venue, message, headers)
    expect(reply, JSON.stringify(message).slice(0, 100)).toMatchObject({ status, body: { error: { code } } })
    expect((await post(venue, request('ping'))).status).toBe(200)
  }
})

test('nobody listens at an open stream for what never comes', async () => {
  const venue = await openVenue()
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const message = request('subscriptions/listen', { _meta: meta, notifications: { toolsListChanged: true } })
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  expect((await post(venue, message, headers)).body).toMatchObject({ error: { code: -32603 } })
})

test('who hangs up in the middle of a message is no error of the house', async () => {
  const venue = await openVenue()
  venue.logged.length = 0
  const socket = net.connect(Number(new URL(venue.origin).port), '127.0.0.1')
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${venue.report.api_tokens['office write']}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n',
  )
  await once(socket, 'data')
  socket.write('{"jsonrpc": "2.0"')
  await post(venue, request('ping'))
  socket.destroy()
  await post(venue, request('ping'))
  expect(venue.logged.filter((line) => line.includes('"error"'))).toEqual([])
  expect((await post(venue, request('ping'))).status).toBe(200)
})

test('the log knows the tool and the action, and nothing of what was said', async () => {
  const venue = await openVenue()
  const call = (args: object) => post(venue, request('tools/call', { name: 'manage_vouchers', arguments: args }))
  venue.logged.length = 0
  await call({ action: 'lookup', code: 'SECR-ETCO-DEXX-XXXX' })
  await call({ action: 'SECR-ETCO' })
  const lines = venue.logged.map((line) => JSON.parse(line)).filter(({ message }) => message === 'assistant')
  expect(lines).toMatchObject([
    { tool: 'manage_vouchers', action: 'lookup', refused: 404 },
    { tool: 'manage_vouchers', action: 'unknown', refused: 422 },
  ])
  expect(venue.logged.join()).not.toContain('SECR')
})
