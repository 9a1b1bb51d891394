import { createHash } from 'node:crypto'
import type { Secrets } from '../kernel/secrets.ts'
import type { LaneJob } from '../jobs/lane.ts'
import type { Language } from '../languages/rules.ts'
import type { AdmissionStatus, OrderStatus } from '../admissions/rules.ts'

/** All that a pass shows. Whatever stands here tells phones when it changes, and a trigger says so for its table. */
export interface PassFacts {
  accountId: number
  eventId: number
  admissionId: number
  /** What the QR code holds. */
  publicId: string
  checkInCode: string
  orderCode: string
  organizer: string
  subdomain: string
  /** The buyer's, where it is known, else the account's. */
  language: Language
  eventTitle: string
  startsAt: Date
  doorsOpenAt: Date | null
  endsAt: Date
  timeZone: string
  venueName: string | null
  venueAddress: string | null
  latitude: number | null
  longitude: number | null
  attendeeName: string | null
  isLead: boolean
  partyLead: string
  ticketTitle: string
  place: string | null
  section: string | null
  row: string | null
  seat: string | null
  /** Hexadecimal, like #2f6fed. */
  color: string
  /** Of the account's logo. */
  logoDigest: string | null
  /** The event's picture, as its row has it. */
  image: string | null
  state: PassState
}

/** `blocked`: it is not paid for, or disputed. */
export const PASS_STATES = ['valid', 'used', 'cancelled', 'refunded', 'event_cancelled', 'blocked'] as const
export type PassState = (typeof PASS_STATES)[number]

export interface PassStanding {
  isEventCancelled: boolean
  orderStatus: OrderStatus
  admissionStatus: AdmissionStatus
  isRedeemed: boolean
}

export const passStateOf = ({
  isEventCancelled,
  orderStatus,
  admissionStatus,
  isRedeemed,
}: PassStanding): PassState => {
  if (orderStatus === 'refunded' || admissionStatus === 'refunded' || admissionStatus === 'refund_pending')
    return 'refunded'
  if (orderStatus === 'cancelled' || orderStatus === 'booking_cancelled' || admissionStatus === 'cancelled')
    return 'cancelled'
  if (isEventCancelled) return 'event_cancelled'
  if (isRedeemed) return 'used'
  return orderStatus === 'paid' ? 'valid' : 'blocked'
}

/** Nobody comes in with it, now or later. */
export const isVoidPass = (state: PassState): boolean => !['valid', 'used', 'blocked'].includes(state)

/** Tells whether two moments show the same pass. */
export const digestOfPassFacts = (facts: object): Buffer => createHash('sha256').update(JSON.stringify(facts)).digest()

/** A day after the end, when nobody looks for it any more. */
const KEPT_MS = 24 * 60 * 60 * 1000
export const passExpiryOf = ({ endsAt }: Pick<PassFacts, 'endsAt'>): Date => new Date(endsAt.getTime() + KEPT_MS)

/** How a class or an object is known at Google: told apart between installations, and not to be guessed. */
export const googleReference = (secrets: Secrets, kind: 'event' | 'admission', accountId: number, id: number): string =>
  `foyer-${kind}-${secrets.sign(`google wallet ${kind}`, `${accountId} ${id}`).toString('hex').slice(0, 32)}`

interface UpdatePayload {
  account_id: number
  admission_id: number
  /** How often Apple or Google asked to be left alone. */
  postponed?: number
}

/** Triggers enqueue it too, by this name and in this lane. */
export const UPDATE_JOB: LaneJob<UpdatePayload> = { name: 'wallet.update', lane: 'wallet' }

/** The purposes of links by which passes are given out: of one ticket, and of all of an order. */
export const PASS_LINK = 'wallet pass'
export const ORDER_LINK = 'wallet passes of an order'

/** How long before a certificate ends its owner is told, in days. */
export const WARNING_DAYS = [60, 14, 3] as const

/** The last of these days that was reached, 0 once it has ended, or null while there is time. */
export const warningDaysFor = (endsAt: Date, now: Date): number | null => {
  const days = (endsAt.getTime() - now.getTime()) / KEPT_MS
  if (days <= 0) return 0
  return WARNING_DAYS.findLast((each) => days <= each) ?? null
}
