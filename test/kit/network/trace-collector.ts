import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  kind: number
  attributes: Record<string, unknown>
  /** 2: it failed. */
  status: number | undefined
}

type Attribute = { key: string; value: Record<string, unknown> }

const readAttributes = (list: readonly Attribute[] = []) =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))

/** The far end of traces: a collector that takes OTLP as JSON over HTTP, as the documents of OpenTelemetry describe it. */
export const openTraceCollector = async () => {
  const spans: ReceivedSpan[] = []
  const resources: Record<string, unknown>[] = []
  const headers: http.IncomingHttpHeaders[] = []
  const read = (text: string) => {
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      resources.push(readAttributes(resource.attributes))
      for (const span of scopeSpans.flatMap((scope: { spans: object[] }) => scope.spans)) {
        const { name, traceId, spanId, parentSpanId, kind, status } = span
        spans.push({
          name,
          traceId,
          spanId,
          parentSpanId: parentSpanId || undefined,
          kind,
          attributes: readAttributes(span.attributes),
          status: status?.code,
        })
      }
    }
  }
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces'
      if (isTraces) {
        headers.push(request.headers)
        read(Buffer.concat(pieces).toString())
      }
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    headers,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
