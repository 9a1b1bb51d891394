import { DiagLogLevel, type Tracer, diag } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { MINUTE_MS } from '../kernel/durations.ts'
import type { Log } from '../kernel/log.ts'
import type { TracingSettings } from '../kernel/tracing-settings.ts'
import { VERSION } from '../kernel/version.ts'

export interface OpenTracer {
  tracer: Tracer
  /** Sends what was gathered, but does not wait long for a collector that is away. */
  close(): Promise<void>
}

/** A statement is told by its text, which has no values in it; the longest ones are cut. */
const ATTRIBUTE_LENGTH_MAX = 2_000
const CLOSE_MS = 1_000
const EXPORT_TIMEOUT_MS = 10_000

/** Where spans go, and with what headers, timeouts and names, the packages read from the standard variables themselves. */
export const openTracer = (settings: TracingSettings, log: Log): OpenTracer => {
  logTrouble(log)
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'foyer', 'service.version': VERSION }))
    .merge(detectResources({ detectors: [envDetector] }))
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(settings),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH_MAX },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: settings.delayMs,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  })
  return {
    tracer: provider.getTracer('foyer', VERSION),
    close: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, CLOSE_MS)
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
    },
  }
}

const samplerOf = ({ sampler, ratio }: TracingSettings): Sampler => {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio)
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root
}

/** A collector that is away is told once a minute. What the packages say may repeat what a collector said, so it stays out. */
const logTrouble = (log: Log) => {
  let toldAt = -Infinity
  const tell = () => {
    const now = performance.now()
    if (now - toldAt < MINUTE_MS) return
    toldAt = now
    log.warn({}, 'Traces could not be sent to the collector')
  }
  const nothing = () => {}
  diag.setLogger(
    { error: tell, warn: nothing, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
}
