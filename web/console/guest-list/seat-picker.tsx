import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useMemo } from 'react'
import type { PlanPlace } from '../../ui/seat-plan/places.ts'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { placesQuery } from './queries.ts'
import type { TicketOption } from './rules.ts'
import { freeRunsOf, giveSeats } from './seat-rules.ts'
import { guestWords } from './words.ts'

/** Loaded for events with seats alone. */
const SeatPlan = lazy(() => import('../../ui/seat-plan/seat-plan.tsx').then((module) => ({ default: module.SeatPlan })))

interface FreePlace {
  id: number
  key: string
  label: string
}

interface SeatChoiceProps {
  slug: string
  ticketId: number | null
  free: readonly FreePlace[]
  picked: readonly number[]
  onPick: (ids: number[]) => void
  /** Where only one can be picked, the next takes its place. */
  isSingle?: boolean
}

/**
 * The seats of a ticket, drawn or as a list. Whoever may not see the whole plan picks among those that are free; a seat
 * counts as free where the server offers it here and now.
 */
export const TicketSeatPlan = ({ slug, ticketId, free, picked, onPick, isSingle = false }: SeatChoiceProps) => {
  const query = useQuery(placesQuery(slug))
  const ids = useMemo(() => new Map(free.map(({ id, key }) => [key, id])), [free])
  const places = useMemo((): readonly PlanPlace[] => {
    const known = query.data?.filter((place) => place.ticket_id === ticketId || ids.has(place.key))
    if (!known)
      return free.map(({ key, label }) => ({ key, label, section: null, row: null, seat: null, state: 'free' }))
    const stateOf = ({ key, blocked }: { key: string; blocked: boolean }) => {
      if (ids.has(key)) return 'free'
      return blocked ? 'blocked' : 'claimed'
    }
    return known.map((place) => ({ ...place, state: stateOf(place) }))
  }, [query.data, free, ids, ticketId])
  const selected = useMemo(
    () => new Set(free.filter(({ id }) => picked.includes(id)).map(({ key }) => key)),
    [free, picked],
  )
  if (query.isPending) return null
  return (
    <Suspense>
      <SeatPlan
        places={places}
        selected={selected}
        onSelect={(keys) => {
          const all = [...keys].flatMap((key) => ids.get(key) ?? [])
          const added = all.filter((id) => !picked.includes(id))
          // In the order in which they were picked, since that is the order of the people.
          onPick(isSingle ? added.slice(-1) : [...picked.filter((id) => all.includes(id)), ...added])
        }}
      />
    </Suspense>
  )
}

interface SeatPickerProps {
  slug: string
  option: TicketOption
  wanted: number
  picked: readonly number[]
  onPick: (ids: number[]) => void
  fault: string | undefined
}

/** The free seats of a ticket, one for each person of the party. */
export const SeatPicker = ({ slug, option, wanted, picked, onPick, fault }: SeatPickerProps) => {
  const words = useWords(guestWords)
  const { available_places: places } = option
  const plan = useQuery(placesQuery(slug))
  const together = useMemo(() => {
    const own = plan.data?.filter(({ ticket_id: id }) => id === option.id)
    return giveSeats(freeRunsOf(option, own), [wanted])[0]!
  }, [option, plan.data, wanted])
  return (
    <fieldset className={classes.seats}>
      <legend>
        {words.seats.label} <span className={classes.quiet}>{words.seats.picked(picked.length, wanted)}</span>
      </legend>
      {places.length === 0 ? (
        <p className={classes.quiet}>{words.seats.none}</p>
      ) : (
        <>
          <Button
            className={classes.together}
            size="compact-sm"
            variant="default"
            disabled={together.length < wanted}
            onClick={() => onPick([...together])}
          >
            {words.seats.together(wanted)}
          </Button>
          <TicketSeatPlan slug={slug} ticketId={option.id} free={places} picked={picked} onPick={onPick} />
        </>
      )}
      {fault && (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
