import { type Query, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sessionGate } from '../api/api.ts'
import { openLiveStream } from '../api/live.ts'
import { readAnew } from './read-anew.ts'
import { restAfterReading } from './rest-after-reading.ts'

const REST_MIN_MS = 1_000

/** What could not be read stays as it is: asked for again, its page would flicker at every change of the night. */
const isThere = ({ state: { data, status } }: Query) => data !== undefined || status !== 'error'

/** Keeps what is shown of an event fresh as long as it is looked at: its night tells that something has changed. */
export const useEventRefresh = (slug: string | null) => {
  const queries = useQueryClient()
  useEffect(() => {
    if (slug === null) return undefined
    let timer: ReturnType<typeof setTimeout> | null = null
    let isReading = false
    let isDue = false

    const read = async () => {
      timer = null
      isDue = false
      isReading = true
      const began = performance.now()
      await Promise.all(
        [['events', slug], ['orders']].map((queryKey) => readAnew(queries, { queryKey, predicate: isThere })),
      )
      const restMs = Math.max(REST_MIN_MS, restAfterReading(performance.now() - began))
      isReading = false
      if (isDue) timer = setTimeout(() => void read(), restMs)
    }
    const { close } = openLiveStream(`/admin/events/${encodeURIComponent(slug)}/night/stream`, {
      onMessage: () => {
        // The first one, too: what was read before somebody listened may be old already.
        if (isReading) isDue = true
        else timer ??= setTimeout(() => void read(), REST_MIN_MS / 4)
      },
      whenSignedOut: () => sessionGate.wait(),
    })
    return () => {
      close()
      if (timer) clearTimeout(timer)
    }
  }, [queries, slug])
}
