import { z } from 'zod'
import { exampleOf, named } from '../../http/wire.ts'
import { type Link, LINK_DEFAULTS, remainingCapacity } from './rules.ts'

const fieldMode = z.enum(['hidden', 'optional', 'required'])

const settings = {
  enabled: z.boolean(),
  approval_mode: z.enum(['manual', 'automatic']),
  event_capacity_pool_id: z.int().nullable(),
  max_companions: z.int(),
  capacity: z.int(),
  company_field: fieldMode,
  phone_field: fieldMode,
  companion_names_field: fieldMode,
  asks_questions: z.boolean(),
  admission_count: z.int(),
  remaining_capacity: z.int(),
}

export const SignupForm = named(
  'SignupForm',
  z.object({
    public_id: z.string(),
    name: z.string().nullable(),
    ticket_id: z.int(),
    ...settings,
    public_url: z.string(),
  }),
  {
    public_id: 'B5nYw8ZrKd3TqVx2MfHc7P',
    name: 'Friends of the house',
    ticket_id: 3,
    enabled: true,
    approval_mode: 'manual',
    event_capacity_pool_id: null,
    max_companions: 2,
    capacity: 50,
    company_field: 'optional',
    phone_field: 'hidden',
    companion_names_field: 'optional',
    asks_questions: false,
    admission_count: 12,
    remaining_capacity: 38,
    public_url: 'https://kaispeicher.shops.example/guest_list/9fKqW3xTzRb6NvYc8mPdHs',
  },
)

export const SignupForms = named('SignupForms', z.object({ forms: z.array(SignupForm) }), {
  forms: [exampleOf(SignupForm)!],
})

/** The one form of an event that has at most one; before the first is saved it has no name, ID or address. */
export const LegacySignupForm = named(
  'LegacySignupForm',
  z.object({
    public_id: z.string().nullable(),
    name: z.string().nullable(),
    ticket_id: z.int().nullable(),
    ...settings,
    public_url: z.string().nullable(),
  }),
  exampleOf(SignupForm)!,
)

export const showLink = (link: Link, publicUrl: string): z.output<typeof SignupForm> => ({
  public_id: link.publicId,
  name: link.name,
  ticket_id: link.ticketId,
  enabled: link.enabled,
  approval_mode: link.approvalMode,
  event_capacity_pool_id: link.standingAreaId,
  max_companions: link.maxCompanions,
  capacity: link.capacity,
  company_field: link.companyField,
  phone_field: link.phoneField,
  companion_names_field: link.companionNamesField,
  asks_questions: link.asksQuestions,
  admission_count: link.admissionCount,
  remaining_capacity: remainingCapacity(link),
  public_url: publicUrl,
})

export const showUnsavedLink = (ticketId: number | null): z.output<typeof LegacySignupForm> => ({
  public_id: null,
  name: LINK_DEFAULTS.name,
  ticket_id: ticketId,
  enabled: LINK_DEFAULTS.enabled,
  approval_mode: LINK_DEFAULTS.approvalMode,
  event_capacity_pool_id: null,
  max_companions: LINK_DEFAULTS.maxCompanions,
  capacity: LINK_DEFAULTS.capacity,
  company_field: LINK_DEFAULTS.companyField,
  phone_field: LINK_DEFAULTS.phoneField,
  companion_names_field: LINK_DEFAULTS.companionNamesField,
  asks_questions: LINK_DEFAULTS.asksQuestions,
  admission_count: 0,
  remaining_capacity: LINK_DEFAULTS.capacity,
  public_url: null,
})
