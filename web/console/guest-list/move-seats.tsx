import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { placesQuery } from './queries.ts'
import type { TicketOption } from './rules.ts'
import { TicketSeatPlan } from './seat-picker.tsx'
import { freeRunsOf, giveSeats, withoutSeats } from './seat-rules.ts'
import { guestWords } from './words.ts'

/** What is known of a party that is to be moved, in the list as on its own page. */
export interface MovedParty {
  public_id: string
  customer_name: string
  party_size: number
  delivery_email: string | null
}

type SeatsByParty = ReadonlyMap<string, readonly number[]>

const NO_SEATS: readonly number[] = []
const NONE_PICKED: SeatsByParty = new Map()

/**
 * Seats for each party: those that somebody picked as long as they are free, and for the others what the house has
 * beside each other.
 */
export const useSeatsByParty = (slug: string, option: TicketOption | null, parties: readonly MovedParty[]) => {
  const plan = useQuery({ ...placesQuery(slug), enabled: option !== null })
  const [picked, setPicked] = useState(NONE_PICKED)
  const seats = useMemo(() => {
    if (!option) return new Map<string, readonly number[]>()
    const free = new Set(option.available_places.map(({ id }) => id))
    const isPicked = ({ public_id: id }: MovedParty) => picked.get(id)?.every((seat) => free.has(seat)) ?? false
    const taken = new Set(parties.filter(isPicked).flatMap(({ public_id: id }) => picked.get(id)!))
    const others = parties.filter((party) => !isPicked(party))
    const ownPlan = plan.data?.filter(({ ticket_id: id }) => id === option.id)
    const given = giveSeats(
      withoutSeats(freeRunsOf(option, ownPlan), taken),
      others.map(({ party_size }) => party_size),
    )
    const automatic = new Map(others.map(({ public_id: id }, n) => [id, given[n]!]))
    return new Map(parties.map(({ public_id: id }) => [id, automatic.get(id) ?? picked.get(id) ?? NO_SEATS]))
  }, [option, plan.data, parties, picked])

  return {
    seats,
    isPending: option !== null && plan.isPending,
    /** Whoever has chosen one wants to see the others stay where they are. */
    pick: (publicId: string, ids: readonly number[]) => setPicked(new Map(seats).set(publicId, ids)),
    giveAll: () => setPicked(NONE_PICKED),
  }
}

const SHOWN_MAX = 200

interface MoveSeatsProps {
  slug: string
  option: TicketOption
  parties: readonly MovedParty[]
  seats: SeatsByParty
  onPick: (publicId: string, ids: readonly number[]) => void
  onGiveAll: () => void
  faults: ReadonlyMap<string, string>
}

/** Who will sit where. One party's seats are changed on the plan at a time. */
export const MoveSeats = ({ slug, option, parties, seats, onPick, onGiveAll, faults }: MoveSeatsProps) => {
  const words = useWords(guestWords)
  const [open, setOpen] = useState(parties.length === 1 ? parties[0]!.public_id : null)
  const labels = useMemo(
    () => new Map(option.available_places.map(({ id, label }) => [id, label])),
    [option.available_places],
  )
  const freeFor = (publicId: string) => {
    const others = new Set([...seats].flatMap(([id, own]) => (id === publicId ? [] : own)))
    return option.available_places.filter(({ id }) => !others.has(id))
  }
  return (
    <section aria-label={words.seats.label}>
      <Button className={classes.together} size="compact-sm" variant="default" onClick={onGiveAll}>
        {words.seats.giveAll}
      </Button>
      <ul className={classes.movedParties}>
        {parties.slice(0, SHOWN_MAX).map(({ public_id: id, customer_name: name, party_size: size }) => {
          const own = seats.get(id) ?? NO_SEATS
          const fault = faults.get(id)
          return (
            <li key={id}>
              <div className={classes.movedParty}>
                <span>
                  <strong dir="auto">{name}</strong>{' '}
                  <span className={classes.quiet}>
                    {own.length === 0 ? words.seats.noneLeft : own.map((seat) => labels.get(seat)).join(', ')}
                    {own.length !== size && own.length > 0 && ` · ${words.seats.picked(own.length, size)}`}
                  </span>
                </span>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-expanded={open === id}
                  aria-label={words.seats.changeOf(name)}
                  onClick={() => setOpen(open === id ? null : id)}
                >
                  {words.seats.change}
                </Button>
              </div>
              {fault && (
                <p className={classes.fault} role="alert">
                  {fault}
                </p>
              )}
              {open === id && (
                <TicketSeatPlan
                  slug={slug}
                  ticketId={option.id}
                  free={freeFor(id)}
                  picked={own}
                  onPick={(ids) => onPick(id, ids)}
                />
              )}
            </li>
          )
        })}
      </ul>
      {parties.length > SHOWN_MAX && <p className={classes.quiet}>{words.seats.more(parties.length - SHOWN_MAX)}</p>}
    </section>
  )
}
