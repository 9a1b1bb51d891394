export interface CoalesceOptions {
  /** The most keys that leave in one batch. */
  maxBatch?: number
  /** How many batches may be under way at once; meanwhile further calls wait. */
  concurrency?: number
}

interface Call<K, V> {
  key: K
  resolve: (value: V) => void
  reject: (error: unknown) => void
}

const MAX_BATCH = 256
const CONCURRENCY = 2

/**
 * Calls that arrive together leave together: `run` gets their keys and answers by position. A lone call leaves in the
 * same turn of the event loop; under load the batches grow by themselves, because calls wait while others are in flight.
 */
export const coalesce = <K, V>(
  run: (keys: K[]) => Promise<V[]>,
  options: CoalesceOptions = {},
): ((key: K) => Promise<V>) => {
  const { maxBatch = MAX_BATCH, concurrency = CONCURRENCY } = options
  let waiting: Call<K, V>[] = []
  let inFlight = 0
  let isScheduled = false

  const send = () => {
    isScheduled = false
    while (inFlight < concurrency && waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch)
      waiting = waiting.slice(maxBatch)
      inFlight++
      void answer(batch, run).finally(() => {
        inFlight--
        if (waiting.length > 0) sendSoon()
      })
    }
  }

  const sendSoon = () => {
    if (isScheduled || inFlight >= concurrency) return
    isScheduled = true
    // Not a microtask: that would run before the next socket is read, and requests that came in together would part.
    setImmediate(send)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      sendSoon()
    })
}

const answer = async <K, V>(batch: Call<K, V>[], run: (keys: K[]) => Promise<V[]>) => {
  try {
    const values = await run(batch.map((call) => call.key))
    if (values.length !== batch.length) {
      throw new Error(`A batch of ${batch.length} calls got ${values.length} answers.`)
    }
    batch.forEach((call, index) => call.resolve(values[index]!))
  } catch (error) {
    for (const call of batch) call.reject(error)
  }
}
