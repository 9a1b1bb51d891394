import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readSettings } from '../src/kernel/settings.ts'
import { openFarDatabase } from './kit/database/far-database.ts'
import { openTraceCollector } from './kit/network/trace-collector.ts'
import { runFoyer, startFoyer } from './kit/process/foyer-process.ts'
import { openClient } from './kit/venue/client.ts'
import { neueHalle } from './kit/venue/neue-halle.ts'

const SOON = { timeout: 30_000, interval: 50 }
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT_ID = 'b7ad6b7169203331'

let far: Awaited<ReturnType<typeof openFarDatabase>>
let collector: Awaited<ReturnType<typeof openTraceCollector>>
// oxlint-disable-next-line typescript/no-explicit-any
let report: any

beforeAll(async () => {
  far = await openFarDatabase('tracing')
  collector = await openTraceCollector()
  report = JSON.parse((await runFoyer(['load', '-'], far.environment, JSON.stringify(neueHalle('neue-halle')))).stdout)
})

afterAll(async () => {
  collector.close()
  await far.close()
})

const tracingTo = (more: Record<string, string> = {}) => ({
  ...far.environment,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  OTEL_BSP_SCHEDULE_DELAY: '50',
  ...more,
})

test('a request is a span, and so is every statement of it, before and after its body was read', async () => {
  const foyer = await startFoyer(
    tracingTo({
      FOYER_TRUST_PROXY: '1',
      OTEL_SERVICE_NAME: 'halle',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=opens',
    }),
  )
  const office = openClient(foyer.origin, { token: report.api_tokens['office write'] })
  const party = {
    customer_name: 'Ada Secret',
    delivery_email: 'ada@secret.example',
    ticket_id: report.events['winter-ball'].tickets.ga,
  }
  const made = await office.post(
    '/admin/events/winter-ball/guest_parties',
    { guest_party: party },
    { headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` } },
  )
  expect(made.status, made.text).toBe(201)
  const route = '/admin/events/:event_slug/guest_parties'

  await vi.waitFor(() => {
    expect(collector.spans.find(({ name }) => name === `POST ${route}`)).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: PARENT_ID,
      kind: 2,
      attributes: { 'http.request.method': 'POST', 'http.route': route, 'http.response.status_code': 201 },
    })
    expect(collector.spans.some(({ name }) => name === 'job tickets-by-mail.send')).toBe(true)
  }, SOON)
  const request = collector.spans.find(({ name }) => name === `POST ${route}`)!
  const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  const names = statements.map(({ name }) => name)
  // The credential is looked up before the body is read, and the party is written afterwards.
  expect(names).toContain('select')
  expect(names).toContain('begin')
  expect(names).toContain('commit')
  for (const { traceId, kind, attributes } of statements) {
    expect({ traceId, kind }).toEqual({ traceId: TRACE_ID, kind: 3 })
    expect(attributes['db.system.name']).toBe('postgresql')
  }
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'halle', 'deployment.environment.name': 'test' })
  expect(collector.headers[0]!['x-api-key']).toBe('opens')

  const job = collector.spans.find(({ name }) => name === 'job tickets-by-mail.send')!
  expect(collector.spans.some(({ parentSpanId }) => parentSpanId === job.spanId)).toBe(true)
  expect(JSON.stringify(collector.spans)).not.toMatch(/Ada Secret|secret\.example|foyer_api_/)
  expect(await foyer.end()).toMatchObject({ code: 0, stderr: '' })
})

test('a stranger names no trace to belong to, and what was gathered is sent before Foyer stops', async () => {
  collector.spans.length = 0
  const foyer = await startFoyer(tracingTo({ OTEL_BSP_SCHEDULE_DELAY: '60000' }))
  await fetch(`${foyer.origin}/admin/events`, { headers: { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` } })
  await fetch(`${foyer.origin}/guest_list/a-token-in-an-address`)
  expect(collector.spans).toEqual([])
  expect((await foyer.end()).code).toBe(0)
  const asked = collector.spans.find(({ name }) => name === 'GET /admin/events')!
  expect(asked.traceId).not.toBe(TRACE_ID)
  expect(asked.parentSpanId).toBeUndefined()
  expect(JSON.stringify(collector.spans)).not.toContain('a-token-in-an-address')
})

test('a collector that is away keeps nobody waiting, and is told once', async () => {
  const foyer = await startFoyer(tracingTo({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }))
  for (let n = 0; n < 5; n++) expect((await fetch(`${foyer.origin}/admin/events`)).status).toBe(401)
  await vi.waitFor(() => expect(foyer.said().stderr).toContain('Traces could not be sent'), SOON)
  const { code, stderr } = await foyer.end()
  expect(code).toBe(0)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test.each([
  [{}, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.example', OTEL_SDK_DISABLED: 'true' }, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.example', OTEL_TRACES_EXPORTER: 'none' }, null],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/v1/traces' },
    { sampler: 'parentbased_always_on', ratio: 1, delayMs: 5000 },
  ],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.example',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    },
    { sampler: 'traceidratio', ratio: 0.1, delayMs: 5000 },
  ],
])('where traces go is understood: %j', (environment, expected) => {
  expect(readSettings(environment).tracing).toEqual(expected)
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ['OTEL_TRACES_SAMPLER', 'some'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_BSP_SCHEDULE_DELAY', 'soon'],
])('%s=%s is refused in one sentence', (name, text) => {
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example', [name]: text }
  expect(() => readSettings(environment)).toThrow(new RegExp(`^${name} must be [^]*\\.$`))
})
