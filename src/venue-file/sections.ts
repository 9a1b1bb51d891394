import { apiTokensSection, devicesSection, peopleSection } from '../accounts/venue-section.ts'
import { ordersSection } from '../admissions/venue-section.ts'
import { eventsSection, venuesSection } from '../events/venue-section.ts'
import { guestPartiesSection } from '../guest-list/venue-section.ts'
import { holdsSection } from '../inventory/venue-section.ts'
import { invitationsSection } from '../team/venue-section.ts'
import { signupLinksSection, signupRequestsSection } from '../signup/venue-section.ts'
import type { EventSection, Section } from '../loading/section.ts'
import { tasksSection } from '../tasks/venue-section.ts'
import { voucherSections } from '../vouchers/venue-section.ts'

/** Inside of an event, after what the events room itself reads; in this order they load. */
export const EVENT_SECTIONS: readonly EventSection[] = [
  ordersSection,
  guestPartiesSection,
  signupLinksSection,
  signupRequestsSection,
  holdsSection,
]

/** Every section of the venue file but the account's own; in this order they are read and load. */
export const SECTIONS: readonly Section[] = [
  peopleSection,
  invitationsSection,
  apiTokensSection,
  devicesSection,
  venuesSection,
  eventsSection(EVENT_SECTIONS),
  tasksSection,
  ...voucherSections,
]
