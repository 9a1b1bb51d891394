import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { messageInWords } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { type PartyResults, inTurns } from './in-turns.ts'
import { guestWords } from './words.ts'

export interface TicketMove {
  publicIds: readonly string[]
  ticketId: number | null
  areaId: number | null
  /** For a ticket with numbered places. */
  seats: ReadonlyMap<string, readonly number[]> | null
  deliver: boolean
}

/** Moves parties to another ticket; afterwards it is known of each that stayed why. */
export const useMoveParties = (slug: string, onDone: (moved: ReadonlySet<string>, isAll: boolean) => void) => {
  const words = useWords(guestWords)
  const queries = useQueryClient()
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map())
  const mutation = useMutation({
    mutationFn: ({ publicIds, ticketId, areaId, seats, deliver }: TicketMove) =>
      inTurns(publicIds, (public_ids) =>
        dataOrThrow(
          api.POST('/admin/events/{event_slug}/guest_parties/ticket_changes', {
            params: { path: { event_slug: slug } },
            body: {
              public_ids,
              // Where none was chosen, that is what the server asks for.
              ticket_id: ticketId as number,
              ...(areaId !== null && { event_capacity_pool_id: areaId }),
              ...(seats && {
                event_place_ids_by_party: Object.fromEntries(public_ids.map((id) => [id, [...(seats.get(id) ?? [])]])),
              }),
              deliver,
            },
          }),
        ),
      ),
    onSuccess: async ({ done_count, results }) => {
      setFaults(new Map(results.filter(({ done }) => !done).map((result) => [result.public_id, reasonOf(result)])))
      if (done_count > 0) showToast(words.bulk.moved(done_count))
      await queries.invalidateQueries({ queryKey: ['events', slug] })
      const moved = new Set(results.filter(({ done }) => done).map(({ public_id }) => public_id))
      onDone(moved, moved.size === results.length)
    },
  })
  return {
    move: mutation.mutate,
    isPending: mutation.isPending,
    error: mutation.error,
    faults,
    forget: () => {
      mutation.reset()
      setFaults(new Map())
    },
  }
}

const reasonOf = ({ errors }: PartyResults['results'][number]): string =>
  messageInWords(Object.values(errors)[0]?.[0] ?? '')
