import { Misconfigured } from './misconfigured.ts'

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** What the standard variables of OpenTelemetry say that its packages do not read by themselves. */
export interface TracingSettings {
  sampler: (typeof SAMPLERS)[number]
  /** Of all traces, for samplers by ratio. */
  ratio: number
  /** How long spans are gathered before they are sent. */
  delayMs: number
}

type Environment = Record<string, string | undefined>

/** Null unless it is said where traces go: nothing is sent anywhere by default. */
export const readTracingSettings = (environment: Environment): TracingSettings | null => {
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const
  const isDisabled = environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true'
  const exporter = environment['OTEL_TRACES_EXPORTER'] || 'otlp'
  const protocol = environment['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/json'
  const sampler = SAMPLERS.find((each) => each === (environment['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on'))
  const ratio = Number(environment['OTEL_TRACES_SAMPLER_ARG'] || 1)
  const delayMs = Number(environment['OTEL_BSP_SCHEDULE_DELAY'] || 5000)
  const given = endpoints.filter((name) => environment[name])
  if (isDisabled || exporter === 'none' || given.length === 0) return null

  for (const name of given) {
    if (!/^https?:\/\/\S+$/.test(environment[name]!)) {
      throw new Misconfigured(`${name} must be a URL beginning with http:// or https://.`)
    }
  }
  if (exporter !== 'otlp') throw new Misconfigured(`OTEL_TRACES_EXPORTER must be otlp or none; it is "${exporter}".`)
  if (protocol !== 'http/json') {
    throw new Misconfigured(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/json; it is "${protocol}".`)
  }
  if (!sampler) throw new Misconfigured(`OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(', ')}.`)
  if (!(ratio >= 0 && ratio <= 1)) throw new Misconfigured('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
  if (!(delayMs >= 1 && delayMs <= 60_000)) {
    throw new Misconfigured('OTEL_BSP_SCHEDULE_DELAY must be a number of milliseconds from 1 to 60000.')
  }
  return { sampler, ratio, delayMs }
}
