import {
  answersByKey,
  exportedAdmissionFields,
  exportedContactFields,
  keyOfId,
  omitNulls,
} from '../admissions/export/export-orders.ts'
import { type ExportedAdmission, findOrdersToExport } from '../admissions/export/records.ts'
import { isActive } from '../admissions/rules.ts'
import { inBatches } from '../loading/batches.ts'
import type { ExportContext, ExportedEvent } from '../loading/section.ts'
import { shownAdmissionOf } from './rules.ts'

/** Every party, also those of signups, which name it by its key: its order code. */
export async function* exportParties({ rows }: ExportContext, event: ExportedEvent) {
  for await (const party of inBatches((request) => findOrdersToExport(rows, event.id, 'guest_list', request))) {
    const { admissions } = party
    const shown = shownAdmissionOf(party)
    yield omitNulls({
      key: party.orderCode,
      public_id: party.publicId,
      order_code: party.orderCode,
      customer_name: party.customerName,
      ticket: keyOfId(event.tickets, shown?.ticketId ?? null),
      standing_area: keyOfId(event.standingAreas, shown?.standingAreaId ?? null),
      party_size: admissions.length,
      places: orNull(admissions.filter(isActive).flatMap(({ placeId }) => keyOfId(event.places, placeId) ?? [])),
      delivery_email: party.deliveryEmail,
      send_to_creator: party.deliversToCreator,
      ...exportedContactFields(party),
      attendee_names: byPosition(admissions, ({ attendeeName }) => attendeeName),
      custom_field_answers: answersByKey(event, party.answers),
      attendee_custom_field_answers: byPosition(admissions, ({ answers }) => answersByKey(event, answers)),
      status: party.status,
      archived: party.isArchived,
      created_at: party.createdAt,
      creator: party.creator,
      creator_name: party.creatorName,
      admissions: admissions.map((admission, position) =>
        omitNulls({
          ...exportedAdmissionFields(event, admission),
          is_lead: admission.isLead === (position === 0) ? null : admission.isLead,
        }),
      ),
    })
  }
}

const orNull = <T>(list: T[]) => (list.length === 0 ? null : list)

const byPosition = <T>(
  admissions: readonly ExportedAdmission[],
  valueOf: (admission: ExportedAdmission) => T | null,
) => {
  const values = admissions.flatMap((admission, position): [string, T][] => {
    const value = valueOf(admission)
    return value === null ? [] : [[String(position), value]]
  })
  return values.length === 0 ? null : Object.fromEntries(values)
}
