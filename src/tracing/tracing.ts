import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  defaultTextMapGetter,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { StatementObserver } from '../database/statement-observer.ts'
import type { Job } from '../jobs/job.ts'

/** Spans of requests and jobs, and under them of the statements that they make. */
export interface Tracing {
  addHooks(server: FastifyInstance): void
  traceJobs<Context>(jobs: readonly Job<Context>[]): Job<Context>[]
  observeStatement: StatementObserver
}

interface TracingOptions {
  /** Whether a trace that a request says to belong to is believed: only proxies in front of Foyer are. */
  believesClients: boolean
}

export const openTracing = (tracer: Tracer, { believesClients }: TracingOptions): Tracing => {
  const current = new AsyncLocalStorage<Span>()
  const propagator = new W3CTraceContextPropagator()
  const parentOf = ({ headers }: FastifyRequest): Context =>
    believesClients ? propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter) : ROOT_CONTEXT

  return {
    addHooks: (server) => addRequestSpans(server, { tracer, current, parentOf }),

    traceJobs: (jobs) =>
      jobs.map((job) => ({
        ...job,
        run: async (payload, helpers) => {
          const attributes = { 'foyer.job': job.name, 'foyer.attempt': helpers.attempt }
          const span = tracer.startSpan(`job ${job.name}`, { attributes }, ROOT_CONTEXT)
          try {
            await current.run(span, () => job.run(payload, helpers))
          } catch (error) {
            span.setStatus({ code: SpanStatusCode.ERROR })
            throw error
          } finally {
            span.end()
          }
        },
      })),

    observeStatement: (pool, text) => {
      const parent = current.getStore()
      // What nobody asked for, like looking for jobs, would only fill the collector.
      if (!parent?.isRecording()) return () => {}
      const span = tracer.startSpan(
        operationOf(text),
        {
          kind: SpanKind.CLIENT,
          attributes: { 'db.system.name': 'postgresql', 'db.query.text': text, 'foyer.pool': pool },
        },
        trace.setSpan(ROOT_CONTEXT, parent),
      )
      return (error) => {
        if (error) {
          // The message may repeat values; the state never does.
          const { code } = error as { code?: string }
          if (code) span.setAttribute('db.response.status_code', code)
          span.setStatus({ code: SpanStatusCode.ERROR })
        }
        span.end()
      }
    },
  }
}

/** Of each way to run a statement only its first word: names of spans are few. */
const operationOf = (text: string) => /^\s*(?:--[^\n]*\n\s*)*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement'

interface RequestSpans {
  tracer: Tracer
  current: AsyncLocalStorage<Span>
  parentOf: (request: FastifyRequest) => Context
}

/** The pattern of the route and never the address itself: an address may carry a token. */
const addRequestSpans = (server: FastifyInstance, { tracer, current, parentOf }: RequestSpans) => {
  const spans = new WeakMap<FastifyRequest, Span>()
  server.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method, 'http.route': route } },
      parentOf(request),
    )
    spans.set(request, span)
    current.run(span, done)
  })
  // A body that arrives in pieces leaves the context in which it was begun to be read.
  server.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) current.run(span, done)
    else done()
  })
  server.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}
