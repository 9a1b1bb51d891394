import { z } from 'zod'
import { envelope } from '../http/body.ts'
import { requiredRowId } from '../http/fields.ts'
import { named } from '../http/wire.ts'
import type { FreePlace } from '../inventory/rules.ts'
import type { SeatedAdmission } from './records.ts'

export const SeatExchange = named(
  'SeatExchange',
  z.object({
    public_id: z.string(),
    place_label: z.string(),
    current_place_id: z.int(),
    available_places: z.array(z.object({ id: z.int(), key: z.string(), label: z.string() })),
  }),
  {
    public_id: '7sW2vqXz3nTdK9mPfBhRcG',
    place_label: 'Row A Seat 1',
    current_place_id: 11,
    available_places: [{ id: 12, key: 'A-2', label: 'Row A Seat 2' }],
  },
)

export const ExchangedSeat = named(
  'ExchangedSeat',
  z.object({ public_id: z.string(), place_label: z.string(), previous_place_label: z.string() }),
  { public_id: '7sW2vqXz3nTdK9mPfBhRcG', place_label: 'Row A Seat 2', previous_place_label: 'Row A Seat 1' },
)

export const SeatExchangeBody = envelope('seat_exchange', z.object({ event_place_id: requiredRowId() }))

export const showSeatExchange = (seated: SeatedAdmission, places: FreePlace[]): z.output<typeof SeatExchange> => ({
  public_id: seated.publicId,
  place_label: seated.placeLabel ?? '',
  current_place_id: seated.placeId,
  available_places: places,
})

export interface CompletedExchange {
  publicId: string
  label: string
  previousLabel: string
}

export const showExchange = ({
  publicId,
  label,
  previousLabel,
}: CompletedExchange): z.output<typeof ExchangedSeat> => ({
  public_id: publicId,
  place_label: label,
  previous_place_label: previousLabel,
})
