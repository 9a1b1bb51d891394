export interface GatherOptions {
  /** The most keys that leave in one batch. */
  most?: number
  /** How many batches may be under way at once; meanwhile further calls gather. */
  abreast?: number
}

interface Call<K, V> {
  key: K
  resolve: (value: V) => void
  reject: (error: unknown) => void
}

const MOST = 256
const ABREAST = 2

/**
 * Calls that arrive together leave together: `run` gets their keys and answers by position. A lone call leaves in the
 * same turn of the event loop; under load the batches grow by themselves, because calls gather while others are away.
 */
export const gather = <K, V>(
  run: (keys: K[]) => Promise<V[]>,
  options: GatherOptions = {},
): ((key: K) => Promise<V>) => {
  const { most = MOST, abreast = ABREAST } = options
  let waiting: Call<K, V>[] = []
  let away = 0
  let isLeaving = false

  const leave = () => {
    isLeaving = false
    while (away < abreast && waiting.length > 0) {
      const batch = waiting.slice(0, most)
      waiting = waiting.slice(most)
      away++
      void answer(batch, run).finally(() => {
        away--
        if (waiting.length > 0) leaveSoon()
      })
    }
  }

  const leaveSoon = () => {
    if (isLeaving || away >= abreast) return
    isLeaving = true
    // Not a microtask: that would run before the next socket is read, and requests that came in together would part.
    setImmediate(leave)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      leaveSoon()
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
