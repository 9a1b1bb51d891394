import type { EventScope } from '../access/scopes.ts'
import { cancelUnredeemedAdmissions } from '../admissions/records.ts'
import { type Admission, isActive, isReleasable } from '../admissions/rules.ts'
import { requireFound, refuseUnless } from '../kernel/refusals.ts'
import { announceCancelledAdmission, publishPartyWebhook } from './announce.ts'
import { lockPartyWithEvent, recordPartyCancellation } from './records.ts'
import { type Party, isCancellable } from './rules.ts'

export const cancelParty = (event: EventScope, publicId: string): Promise<Party> =>
  event.transaction(async (tx) => {
    const party = requireFound(await lockPartyWithEvent(tx, event.event.id, publicId))
    refuseUnless(isCancellable(party), 'This party can no longer be cancelled')

    await cancelUnredeemedAdmissions(tx, { id: party.id, eventId: event.event.id })
    await recordPartyCancellation(tx, party)
    const cancelled: Party = { ...party, status: 'booking_cancelled', admissions: party.admissions.map(ended) }
    await publishPartyWebhook(tx, event, 'guest_party.cancelled', cancelled)
    return cancelled
  })

/** Releases one admission; with the last one the party is over too. */
export const cancelAdmission = (event: EventScope, publicId: string, admissionPublicId: string): Promise<Party> =>
  event.transaction(async (tx) => {
    const party = requireFound(await lockPartyWithEvent(tx, event.event.id, publicId))
    const admission = requireFound(party.admissions.find((each) => each.publicId === admissionPublicId))
    refuseUnless(isReleasable(admission), 'This admission can no longer be cancelled')

    await cancelUnredeemedAdmissions(tx, { id: party.id, eventId: event.event.id }, admission.id)
    const admissions = party.admissions.map((each) => (each === admission ? ended(each) : each))
    const isOver = !admissions.some(isActive)
    if (isOver) await recordPartyCancellation(tx, party)

    const left: Party = { ...party, admissions, ...(isOver && { status: 'booking_cancelled' }) }
    await announceCancelledAdmission(tx, event, left, admissionPublicId)
    return left
  })

const ended = (admission: Admission): Admission =>
  isActive(admission) ? { ...admission, status: 'cancelled' } : admission
