import { z } from 'zod'
import { type BodyReader, envelope, readFields } from '../../http/body.ts'
import {
  choice,
  choiceWithDefault,
  flag,
  flagWithDefault,
  integer,
  integerWithDefault,
  optionalChoice,
  optionalRowId,
  optionalText,
  requiredRowId,
  rowId,
} from '../../http/fields.ts'
import { LANGUAGES, type Language } from '../../languages/rules.ts'
import {
  type PageSettings,
  APPROVAL_MODES,
  COMPANIONS_MAX,
  FIELD_MODES,
  LINK_DEFAULTS,
  LINK_NAME_MAX,
} from './rules.ts'

const COMPANIONS = { least: 0, most: COMPANIONS_MAX }
const CAPACITY = { least: 1 }

const previewLanguage = optionalChoice(LANGUAGES)

const creation = z.object({
  name: optionalText(LINK_NAME_MAX),
  enabled: flagWithDefault(LINK_DEFAULTS.enabled),
  ticket_id: requiredRowId(),
  event_capacity_pool_id: optionalRowId(),
  approval_mode: choiceWithDefault(LINK_DEFAULTS.approvalMode, APPROVAL_MODES),
  max_companions: integerWithDefault(LINK_DEFAULTS.maxCompanions, COMPANIONS),
  capacity: integerWithDefault(LINK_DEFAULTS.capacity, CAPACITY),
  company_field: choiceWithDefault(LINK_DEFAULTS.companyField, FIELD_MODES),
  phone_field: choiceWithDefault(LINK_DEFAULTS.phoneField, FIELD_MODES),
  companion_names_field: choiceWithDefault(LINK_DEFAULTS.companionNamesField, FIELD_MODES),
  asks_questions: flagWithDefault(LINK_DEFAULTS.asksQuestions),
})

export type NewLinkInput = z.output<typeof creation>

/** What of it shows on the page, which is all but what the link is for. */
export const pageSettingsOf = (input: NewLinkInput): PageSettings => ({
  name: input.name,
  enabled: input.enabled,
  approvalMode: input.approval_mode,
  maxCompanions: input.max_companions,
  capacity: input.capacity,
  companyField: input.company_field,
  phoneField: input.phone_field,
  companionNamesField: input.companion_names_field,
  asksQuestions: input.asks_questions,
})
export const NewLink = envelope('guest_list_form', creation)

/** What a link would be, and the language that its page is wanted in: otherwise the account's. */
export const PreviewedLink: BodyReader<{ settings: NewLinkInput; language: Language | null }> = {
  schema: z.object({ guest_list_form: creation.extend({ ticket_id: rowId() }), language: previewLanguage }),
  read: (json) => ({
    settings: NewLink.read(json),
    ...readFields(z.object({ language: previewLanguage }), json),
  }),
}

/** A key that is not sent keeps its value; false and 0 are values like any other. */
const change = z.object({
  name: optionalText(LINK_NAME_MAX).optional(),
  enabled: flag().optional(),
  ticket_id: rowId().optional(),
  event_capacity_pool_id: optionalRowId().optional(),
  approval_mode: choice(APPROVAL_MODES).optional(),
  max_companions: integer(COMPANIONS).optional(),
  capacity: integer(CAPACITY).optional(),
  company_field: choice(FIELD_MODES).optional(),
  phone_field: choice(FIELD_MODES).optional(),
  companion_names_field: choice(FIELD_MODES).optional(),
  asks_questions: flag().optional(),
})

export type LinkChange = z.output<typeof change>
export const ChangedLink = envelope('guest_list_form', change)
