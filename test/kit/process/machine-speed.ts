/*
 * Machines are shared and change their speed from one hour to the next, so whatever is judged by milliseconds is judged as
 * a ratio: what it took is held against how slowly the machine computes just then.
 */

/** How long a processor computes this in an hour in which the machine is fast. */
const FAST_MS = 2.5
const RUNS = 20
/** For how long it is believed that nothing has changed, where many small things are measured one after the other. */
const REMEMBERED_MS = 500

const WORDS = Array.from({ length: 1_500 }, (_, n) => `walrus ${(n * 7919) % 1_500}`)

/** Something of everything that tests judge: sorting, making texts and reading them, and memory that is thrown away. */
const compute = () => {
  const found = WORDS.map((word, n) => ({ word, n, letters: word.split('') })).toSorted((one, other) =>
    one.word < other.word ? -1 : 1,
  )
  return (JSON.parse(JSON.stringify(found)) as unknown[]).length
}

const computeOften = () => {
  for (let n = 0; n < RUNS; n++) compute()
}

const threadMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

let isCompiled = false
let last = { times: 1, measuredAt: -Infinity }

/** How many times slower than in a fast hour a processor is; never less than one. */
const slowness = (): number => {
  if (performance.now() - last.measuredAt < REMEMBERED_MS) return last.times
  if (!isCompiled) computeOften()
  isCompiled = true
  const before = threadMs()
  computeOften()
  last = { times: Math.max(1, (threadMs() - before) / RUNS / FAST_MS), measuredAt: performance.now() }
  return last.times
}

/**
 * What was just measured, by the clock or as time of a processor, as it would be in a fast hour. Only the speed of the
 * processors is made up for: whoever goes by the clock takes the quickest of several runs, in which nobody was in the way.
 */
export const atFullSpeed = (ms: number): number => ms / slowness()
