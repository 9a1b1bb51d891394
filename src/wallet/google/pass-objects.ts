import type { AppServices } from '../../access/app.ts'
import { shopOrigin } from '../../access/shop-address.ts'
import { imageUrl } from '../../images/names.ts'
import { displayCode } from '../../kernel/public-ids.ts'
import {
  type PassFacts,
  type PassState,
  digestOfPassFacts,
  passExpiryOf,
  googleReference,
  isVoidPass,
} from '../rules.ts'
import { PASS_WORDS } from '../words.ts'

const STATES: Record<PassState, 'ACTIVE' | 'COMPLETED' | 'EXPIRED' | 'INACTIVE'> = {
  valid: 'ACTIVE',
  used: 'COMPLETED',
  cancelled: 'INACTIVE',
  refunded: 'INACTIVE',
  event_cancelled: 'INACTIVE',
  blocked: 'INACTIVE',
}

export interface GoogleClass {
  id: string
  [key: string]: unknown
}

export interface GoogleObject {
  id: string
  classId: string
  [key: string]: unknown
}

type Installation = Pick<AppServices, 'secrets' | 'settings'>

/** What Google calls a class: the event. */
export const googleClassOf = (app: Installation, issuerId: string, facts: PassFacts): GoogleClass => {
  const text = textIn(facts)
  const picture = imageUrl(shopOrigin(app, facts.subdomain), facts.image)
  return {
    id: `${issuerId}.${googleReference(app.secrets, 'event', facts.accountId, facts.eventId)}`,
    issuerName: facts.organizer,
    reviewStatus: 'UNDER_REVIEW',
    eventName: text(facts.eventTitle),
    dateTime: {
      start: facts.startsAt.toISOString(),
      end: facts.endsAt.toISOString(),
      ...(facts.doorsOpenAt && { doorsOpen: facts.doorsOpenAt.toISOString() }),
    },
    ...(facts.venueName && {
      venue: { name: text(facts.venueName), address: text(facts.venueAddress ?? facts.venueName) },
    }),
    // Google fetches it, so only what anybody can fetch is named.
    ...(picture?.startsWith('https:') && { heroImage: { sourceUri: { uri: picture } } }),
  }
}

/** What Google calls an object: the ticket of one person. */
export const googleObjectOf = (app: Installation, issuerId: string, facts: PassFacts, now: Date): GoogleObject => {
  const text = textIn(facts)
  const words = PASS_WORDS[facts.language]
  const place = {
    ...(facts.section && { section: text(facts.section) }),
    ...(facts.row && { row: text(facts.row) }),
    ...((facts.seat ?? facts.place) && { seat: text((facts.seat ?? facts.place)!) }),
  }
  const name = facts.isLead ? facts.partyLead : (facts.attendeeName ?? `${words.guest}: ${facts.partyLead}`)
  return {
    id: `${issuerId}.${googleReference(app.secrets, 'admission', facts.accountId, facts.admissionId)}`,
    classId: googleClassOf(app, issuerId, facts).id,
    state: passExpiryOf(facts) <= now ? 'EXPIRED' : STATES[facts.state],
    ticketHolderName: name,
    ticketNumber: facts.orderCode,
    ticketType: text(facts.ticketTitle),
    ...(Object.keys(place).length > 0 && { seatInfo: place }),
    hexBackgroundColor: facts.color,
    validTimeInterval: { end: { date: passExpiryOf(facts).toISOString() } },
    barcode: isVoidPass(facts.state)
      ? null
      : { type: 'QR_CODE', value: facts.publicId, alternateText: displayCode(facts.checkInCode) },
    textModulesData: [
      { id: 'status', header: words.status, body: words[facts.state] },
      { id: 'party', header: words.party, body: facts.partyLead },
    ],
  }
}

const textIn =
  ({ language }: PassFacts) =>
  (value: string) => ({ defaultValue: { language, value } })

/** Tells whether Google knows an event as it is now, and by which issuer. */
export const digestOfClass = (googleClass: GoogleClass): Buffer => digestOfPassFacts(googleClass)
