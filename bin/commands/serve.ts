import { banner } from '../banner.ts'
import { print, read, settings } from '../command-line.ts'

export const run = async (argv: string[]) => {
  const options = read(argv, { 'no-jobs': { type: 'boolean' }, 'no-http': { type: 'boolean' } })
  const chosen = settings()
  // Listened for from the beginning: a stop that comes while Foyer is still starting is carried out once it stands.
  const stopped = Promise.withResolvers<void>()
  // Ctrl-C comes twice under npm, from the terminal and from npm itself: the second must not end what the first began.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopped.resolve())

  const started = performance.now()
  // Only now: whoever has mistyped a setting need not wait for the house.
  const { serve } = await import('../../src/main.ts')
  const serving = await serve(chosen, { http: !options['no-http'], jobs: !options['no-jobs'] })
  print(banner(chosen, serving.demo, Math.round(performance.now() - started)))
  await stopped.promise
  await serving.stop()
}
