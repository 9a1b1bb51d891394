import type { Schemas } from '../../api/client.ts'

export type SignupLink = Schemas['SignupForm']
export type TicketOption = Schemas['TicketOption']

export const FIELD_MODES = ['hidden', 'optional', 'required'] as const
export type FieldMode = (typeof FIELD_MODES)[number]

/** What can be decided about a link, as the API names it. */
export interface LinkSettings {
  name: string | null
  enabled: boolean
  ticket_id: number | null
  event_capacity_pool_id: number | null
  approval_mode: 'manual' | 'automatic'
  max_companions: number
  capacity: number
  company_field: FieldMode
  phone_field: FieldMode
  companion_names_field: FieldMode
  asks_questions: boolean
}

export const COMPANIONS_MAX = 19

/** Nobody picks a seat on a signup page, so numbered tickets are not for links. */
export const ticketsForLinks = (options: readonly TicketOption[]) =>
  options.filter(({ inventory_kind }) => inventory_kind !== 'places')

/** What a new link begins with: what the API would take if nothing were said. */
export const defaultLinkSettings = (options: readonly TicketOption[]): LinkSettings => ({
  name: null,
  enabled: true,
  ticket_id: ticketsForLinks(options)[0]?.id ?? null,
  event_capacity_pool_id: null,
  approval_mode: 'manual',
  max_companions: 0,
  capacity: 50,
  company_field: 'optional',
  phone_field: 'hidden',
  companion_names_field: 'hidden',
  asks_questions: false,
})

export const linkSettingsOf = (link: SignupLink): LinkSettings => ({
  name: link.name,
  enabled: link.enabled,
  ticket_id: link.ticket_id,
  event_capacity_pool_id: link.event_capacity_pool_id,
  approval_mode: link.approval_mode,
  max_companions: link.max_companions,
  capacity: link.capacity,
  company_field: link.company_field,
  phone_field: link.phone_field,
  companion_names_field: link.companion_names_field,
  asks_questions: link.asks_questions,
})

/** Only what differs is sent, so that two people who change different things do not undo each other. */
export const changedSettingsOf = (before: LinkSettings, after: LinkSettings): Partial<LinkSettings> =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => value !== before[key as keyof LinkSettings]))
