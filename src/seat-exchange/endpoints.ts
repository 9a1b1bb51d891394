import { organizer } from '../access/access.ts'
import { ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { requireFound } from '../kernel/refusals.ts'
import { exchangeSeat, findSeatExchangeOptions } from './exchange-seat.ts'
import { findAdmissionWithOrder } from './records.ts'
import { ExchangedSeat, SeatExchangeBody, SeatExchange, showExchange, showSeatExchange } from './wire.ts'
import { SEATED_GUEST_SETUP } from './example-setups.ts'

const seatExchange = endpoint({
  method: 'GET',
  path: '/admin/order_items/:public_id/seat_exchange',
  operationId: 'listFreeSeats',
  says: 'Where an admission with a numbered place sits, and the free places it could be moved to.',
  access: organizer('read'),
  exampleSetup: SEATED_GUEST_SETUP,
  answers: { 200: SeatExchange },
  handle: async ({ account, params }) => {
    const { item, places } = await findSeatExchangeOptions(account, params.public_id)
    return ok(showSeatExchange(item, places))
  },
})

const newSeatExchange = endpoint({
  method: 'POST',
  path: '/admin/order_items/:public_id/seat_exchange',
  operationId: 'moveSeat',
  says: 'Moves an admission to another free place of its ticket; its code stays, and its tickets are mailed again.',
  access: organizer('write'),
  body: SeatExchangeBody,
  example: { seat_exchange: { event_place_id: 41 } },
  exampleSetup: SEATED_GUEST_SETUP,
  answers: { 200: ExchangedSeat },
  exists: async ({ account, params }) => requireFound(await findAdmissionWithOrder(account, params.public_id)),
  handle: async ({ account, params, body }) =>
    ok(showExchange(await exchangeSeat(account, params.public_id, body.event_place_id))),
})

export const seatExchangeEndpoints = [seatExchange, newSeatExchange]
