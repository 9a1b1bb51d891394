import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { showTold } from '../../ui/show-told.ts'
import { followWhileVisible } from '../../ui/visible-stream.ts'
import { type CountSample, type Event, type Night, addSample, findComparableEvents } from './rules.ts'

const ofEvent = (slug: string) => ({ path: { event_slug: slug } })

export const eventQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events/{event_slug}', { params: ofEvent(slug), signal })),
  })

export const nightQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'night'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/night', { params: ofEvent(slug), signal })),
  })

export interface ComparableNight {
  event: Event
  night: Night
}

/** Events without a single arrival are passed over, but not for ever. */
const CANDIDATES_MAX = 5

const readEvents = async (archived: boolean, signal: AbortSignal): Promise<Event[]> => {
  const { events } = await dataOrThrow(api.GET('/admin/events', { params: { query: { archived } }, signal }))
  return events
}

/** The last night that can be compared with this one, or null. What is over changes no more. */
export const comparableNightQuery = (event: Event) =>
  queryOptions({
    queryKey: ['comparable night', event.slug],
    queryFn: async ({ signal }): Promise<ComparableNight | null> => {
      const [open, archived] = await Promise.all([readEvents(false, signal), readEvents(true, signal)])
      for (const candidate of findComparableEvents(event, [...open, ...archived]).slice(0, CANDIDATES_MAX)) {
        const night = await dataOrThrow(
          api.GET('/admin/events/{event_slug}/night', { params: ofEvent(candidate.slug), signal }),
        )
        if (night.arrived > 0) return { event: candidate, night }
      }
      return null
    },
    staleTime: Infinity,
  })

export const acknowledgeConflict = async (queries: QueryClient, slug: string, id: number): Promise<void> => {
  await dataOrThrow(api.POST('/admin/redemption_attempts/{id}/acknowledgement', { params: { path: { id } } }))
  queries.setQueryData(nightQuery(slug).queryKey, (night) =>
    night ? { ...night, conflicts: night.conflicts.filter((conflict) => conflict.id !== id) } : night,
  )
}

export const withdrawAcknowledgement = async (queries: QueryClient, slug: string, id: number): Promise<void> => {
  await dataOrThrow(api.DELETE('/admin/redemption_attempts/{id}/acknowledgement', { params: { path: { id } } }))
  await queries.invalidateQueries({ queryKey: nightQuery(slug).queryKey })
}

/** Kept while the page is, so that leaving the room for a moment forgets nothing. */
const samplesBySlug = new Map<string, readonly CountSample[]>()

export interface LiveNight {
  /** Whether the stream is there right now. */
  isLive: boolean
  samples: readonly CountSample[]
  /** What the server's clock is ahead of ours, in milliseconds. */
  clockAheadMs: number
}

interface NightListener {
  onNight: (night: Night) => void
  /** Nothing can be heard for now. */
  onLost: () => void
}

/** Listens as long as somebody can see the page; answers how to stop. */
const followNight = (slug: string, { onNight, onLost }: NightListener): (() => void) =>
  followWhileVisible(`/admin/events/${encodeURIComponent(slug)}/night/stream`, {
    onMessage: ({ event, data }) => {
      if (event === 'night') onNight(data as Night)
    },
    onLine: (isOpen) => {
      if (!isOpen) onLost()
    },
    onHidden: onLost,
  })

/** Keeps the night fresh as long as somebody looks at it. Live is what has been told, not a line that is there. */
export const useLiveNight = (slug: string): LiveNight => {
  const queries = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  const [samples, setSamples] = useState(() => samplesBySlug.get(slug) ?? [])
  const [clockAheadMs, setClockAheadMs] = useState(0)
  useEffect(
    () =>
      followNight(slug, {
        onNight: (night) => {
          showTold(queries, nightQuery(slug).queryKey, night)
          const next = addSample(samplesBySlug.get(slug) ?? [], night)
          samplesBySlug.set(slug, next)
          setSamples(next)
          setClockAheadMs(Date.parse(night.generated_at) - Date.now())
          setIsLive(true)
        },
        onLost: () => setIsLive(false),
      }),
    [queries, slug],
  )
  return { isLive, samples, clockAheadMs }
}

const TICK_MS = 5_000

/** The time at the server, every few seconds: how long a device has been silent grows without any news. */
export const useServerTime = (clockAheadMs: number): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now + clockAheadMs
}

/** The screen stays on while the night is shown; where the browser does not allow that, it goes off as it always does. */
export const useWakeLock = () => {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let hasLeft = false
    const hold = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      const held = await navigator.wakeLock.request('screen').catch(() => null)
      if (hasLeft) await held?.release()
      else lock = held
    }
    const onSight = () => void hold()
    onSight()
    document.addEventListener('visibilitychange', onSight)
    return () => {
      hasLeft = true
      document.removeEventListener('visibilitychange', onSight)
      void lock?.release()
    }
  }, [])
}
