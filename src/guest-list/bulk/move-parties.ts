import type { EventScope, Tx } from '../../access/scopes.ts'
import {
  NO_ROOM_MESSAGE,
  type NumberedPlace,
  type OrderableTicket,
  SEATS_GONE_MESSAGE,
  chooseStandingArea,
  isActive,
  isEligibleForGuestList,
  snapshotOfArea,
  snapshotOfPlace,
} from '../../admissions/rules.ts'
import { findOrderPreconditions } from '../../admissions/terms/records.ts'
import { openSavepoint } from '../../database/savepoint.ts'
import { claim } from '../../inventory/claim.ts'
import { endExpiredHolds } from '../../inventory/holds/records.ts'
import type { Shortage } from '../../inventory/rules.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE, NOT_INCLUDED_MESSAGE } from '../../kernel/messages.ts'
import { Invalid, type Refusal } from '../../kernel/refusals.ts'
import { queueTicketMails } from '../../tickets-by-mail/queue-tickets.ts'
import { type Party, chooseSeats, isCancellable } from '../rules.ts'
import { type RefusalsByPublicId, changeParties } from './change-parties.ts'
import { type MovedAdmission, lockPlacesToMove, moveAdmissions } from './records.ts'

interface TicketChange {
  ticket_id: number | null
  event_capacity_pool_id: number | null
  event_place_ids_by_party: Map<string, number[]> | null
  deliver: boolean
}

interface Target {
  ticket: OrderableTicket
  area: { id: number; name: string } | null
  /** Of a ticket with numbered places, those that each party asked for. */
  seatsOf: (party: Party) => { places: NumberedPlace[]; fault: string | null }
}

/** Gives parties another ticket of the event, each whole or not at all; codes and names stay. */
export const movePartiesToTicket = async (
  event: EventScope,
  publicIds: readonly string[],
  change: TicketChange,
): Promise<RefusalsByPublicId> => {
  const target = await findTarget(event, publicIds, change)
  const { ticket } = target
  // Holds whose time is over are ended before any place is locked.
  if (ticket.inventoryKind === 'places') await event.transaction((tx) => endExpiredHolds(tx, event.event.id))

  return changeParties(event, publicIds, {
    kind: 'guest_party.updated',
    refuse: (party) => refuseMove(party, target),
    apply: async (tx, parties, refused) => {
      const moved = await moveAll(tx, event.event.id, parties, target, refused)
      const addressed = moved.filter(({ deliveryEmail }) => deliveryEmail !== null).map(({ id }) => id)
      if (change.deliver) await queueTicketMails(tx, addressed, 'delivered_again')
    },
  })
}

const findTarget = async (
  event: EventScope,
  publicIds: readonly string[],
  { ticket_id: ticketId, event_capacity_pool_id: areaId, event_place_ids_by_party: asked }: TicketChange,
): Promise<Target> => {
  const placeIds = publicIds.flatMap((id) => asked?.get(id) ?? [])
  const terms = await findOrderPreconditions(event.keyLookups, event.event.id, { ticketId, placeIds })
  const { ticket } = terms
  if (!isEligibleForGuestList(ticket))
    throw new Invalid({ ticket_id: [ticketId === null ? BLANK_MESSAGE : NOT_INCLUDED_MESSAGE] })
  const { area, fault } = chooseStandingArea(ticket, areaId)
  if (fault !== null) throw new Invalid({ event_capacity_pool_id: [fault] })
  const isNumbered = ticket.inventoryKind === 'places'
  const areGiven = asked !== null && asked.size > 0
  if (isNumbered !== areGiven)
    throw new Invalid({ event_place_ids_by_party: [isNumbered ? BLANK_MESSAGE : INVALID_MESSAGE] })

  return { ticket, area, seatsOf: ({ publicId }) => chooseSeats(ticket, terms.places, asked?.get(publicId) ?? []) }
}

const refuseMove = (party: Party, target: Target): Refusal | null => {
  if (!isCancellable(party)) return new Invalid('This party can no longer be moved')
  if (isThereAlready(party, target)) return new Invalid('This party has this ticket already')
  const { places, fault } = target.seatsOf(party)
  if (fault !== null) return new Invalid({ event_place_ids: [fault] })
  if (places.length > 0 && places.length !== liveAdmissionsOf(party).length)
    return new Invalid({ event_place_ids: ['must be one for each person'] })
  return null
}

const liveAdmissionsOf = ({ admissions }: Party) => admissions.filter(isActive)

/** From seat to seat of one ticket people are moved one by one, by an exchange of seats. */
const isThereAlready = (party: Party, { ticket, area }: Target) =>
  liveAdmissionsOf(party).every(
    ({ ticketId, placeLabel }) =>
      ticketId === ticket.id && (ticket.inventoryKind === 'places' || placeLabel === (area?.name ?? null)),
  )

/** Those that were moved; for the others it is noted what was short. */
const moveAll = async (
  tx: Tx,
  eventId: number,
  parties: readonly Party[],
  target: Target,
  refused: RefusalsByPublicId,
): Promise<Party[]> => {
  const takenBy = (party: Party) => target.seatsOf(party).places.map(({ id }) => id)
  const leftBy = (party: Party) => liveAdmissionsOf(party).flatMap(({ placeId }) => placeId ?? [])
  const gone = await lockPlacesToMove(
    tx,
    eventId,
    parties.flatMap((party) => [...takenBy(party), ...leftBy(party)]),
  )

  const moved: Party[] = []
  /** Whether there was room; one that is refused leaves no trace. */
  const tryEach = async (some: readonly Party[], take: (party: Party) => Promise<Shortage | null>) => {
    const short: Party[] = []
    for (const party of some) {
      const shortage = takenBy(party).some((id) => gone.has(id)) ? 'places' : await take(party)
      if (shortage === null) {
        moved.push(party)
        for (const id of takenBy(party)) gone.add(id)
      } else {
        short.push(party)
        refused.set(party.publicId, shortageRefusal(shortage))
      }
    }
    return short
  }
  const short = await tryEach(parties, (party) => claimFor(tx, eventId, party, target))
  await moveOver(tx, eventId, moved, target)

  // In a full house there is room for whoever leaves theirs first.
  for (const { publicId } of short) refused.delete(publicId)
  await tryEach(short, async (party) => {
    const savepoint = await openSavepoint(tx.db)
    await moveOver(tx, eventId, [party], target)
    const shortage = await claimFor(tx, eventId, party, target)
    await (shortage === null ? savepoint.release() : savepoint.rollBack())
    return shortage
  })
  return moved
}

const claimFor = (tx: Tx, eventId: number, party: Party, { ticket, area, seatsOf }: Target): Promise<Shortage | null> =>
  claim(tx, {
    eventId,
    ticketId: ticket.id,
    quantity: liveAdmissionsOf(party).length,
    standingAreaId: area?.id ?? null,
    placeIds: seatsOf(party).places.map(({ id }) => id),
  })

const moveOver = (tx: Tx, eventId: number, parties: readonly Party[], target: Target): Promise<void> => {
  const { ticket, area, seatsOf } = target
  const admissions = parties.flatMap((party) => {
    const { places } = seatsOf(party)
    return liveAdmissionsOf(party).map(({ id }, n): MovedAdmission => {
      const place = places[n]
      if (place) return { id, placeId: place.id, label: place.label, snapshot: snapshotOfPlace(place) }
      return { id, placeId: null, label: area?.name ?? null, snapshot: area && snapshotOfArea(area.name) }
    })
  })
  return moveAdmissions(tx, eventId, admissions, {
    ticketId: ticket.id,
    ticketTitle: ticket.title,
    areaId: area?.id ?? null,
  })
}

const shortageRefusal = (shortage: Shortage): Refusal =>
  new Invalid(shortage === 'places' ? { event_place_ids: [SEATS_GONE_MESSAGE] } : NO_ROOM_MESSAGE)
