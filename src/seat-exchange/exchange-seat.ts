import type { CallerScope } from '../access/scopes.ts'
import { SEATS_GONE_MESSAGE, isSeatExchangeable } from '../admissions/rules.ts'
import { endExpiredHolds } from '../inventory/holds/records.ts'
import { BLANK_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { Invalid, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { queueTicketMails } from '../tickets-by-mail/queue-tickets.ts'
import { announceExchange } from './announce.ts'
import {
  type AdmissionWithOrder,
  type SeatedAdmission,
  type TargetPlace,
  findExchangeableSeats,
  findAdmissionWithOrder,
  findPlace,
  lockOrderAndAdmission,
  lockPlaces,
  moveAdmission,
} from './records.ts'
import type { CompletedExchange } from './wire.ts'

const isSeated = (item: AdmissionWithOrder): item is SeatedAdmission => item.placeId !== null

const isOver = ({ orderStatus }: AdmissionWithOrder) =>
  ['booking_cancelled', 'refunded', 'cancelled'].includes(orderStatus)

const mayMove = (item: AdmissionWithOrder) => isSeatExchangeable(item) && !isOver(item)

/** Where the admission sits and where it could; one that cannot be moved has no choices. */
export const findSeatExchangeOptions = (scope: CallerScope, publicId: string) =>
  scope.consistentRead(async (rows) => {
    const item = requireFound(await findAdmissionWithOrder(scope.within(rows), publicId))
    refuseUnless(isSeated(item), 'This admission has no numbered place')
    return { item, places: mayMove(item) ? await findExchangeableSeats(rows, item) : [] }
  })

export const exchangeSeat = async (
  scope: CallerScope,
  publicId: string,
  placeId: number | null,
): Promise<CompletedExchange> => {
  const item = requireFound(await findAdmissionWithOrder(scope, publicId))
  refuseUnless(placeId !== null, { event_place_id: [BLANK_MESSAGE] })
  await freeFromExpiredHold(scope, item, placeId)

  return scope.transaction(async (tx) => {
    await lockOrderAndAdmission(tx, item)
    const current = requireFound(await findAdmissionWithOrder(scope.within(tx), publicId))
    refuseUnless(isSeated(current), 'This admission has no numbered place')
    refuseUnless(mayMove(current), 'This admission cannot be moved to another place')

    const places = await lockPlaces(tx, current.eventId, [current.placeId, placeId])
    const target = places.find((place) => place.id === placeId)
    requireFree(current, target)

    await moveAdmission(tx, current, target)
    if (current.deliveryEmail !== null) await queueTicketMails(tx, [current.orderId], 'seat_moved', [current.id])
    const exchange = { publicId, label: target.label, previousLabel: current.placeLabel ?? '' }
    await announceExchange(tx, scope, current, exchange)
    return exchange
  })
}

/** Holds are ended with the event locked, which must come before any lock of the exchange itself. */
const freeFromExpiredHold = async (scope: CallerScope, item: AdmissionWithOrder, placeId: number) => {
  const target = await findPlace(scope.rows, item.eventId, placeId)
  if (target?.isHeldInVain) await scope.transaction((tx) => endExpiredHolds(tx, item.eventId))
}

function requireFree(item: SeatedAdmission, target: TargetPlace | undefined): asserts target is TargetPlace {
  const refuse = (message: string) => new Invalid({ event_place_id: [message] })
  if (!target || target.ticketId !== item.ticketId || target.pairPlaceId !== null) throw refuse(NOT_INCLUDED_MESSAGE)
  if (target.isClaimed || target.isBlocked) throw refuse(SEATS_GONE_MESSAGE)
}
