import { z } from 'zod'
import { Invalid } from '../kernel/refusals.ts'
import { type JsonPath, fileFaultAt } from '../loading/fault.ts'
import { keyText, list, optional, strictObject } from '../loading/fields.ts'
import { type EventSection, type LoadedEvent, findByKey, createSharedLookup } from '../loading/section.ts'
import { exportLinks } from './export/export-signups.ts'
import { createLinkInTransaction } from './links/create-link.ts'
import { NewLink } from './links/inputs.ts'
import type { Link } from './links/rules.ts'
import { signupLinkUrl } from './tokens.ts'

const asPosted = z.unknown().optional()

const LinkOfFile = strictObject({
  key: keyText(),
  ticket: keyText(),
  standing_area: optional(keyText()),
  name: asPosted,
  enabled: asPosted,
  approval_mode: asPosted,
  max_companions: asPosted,
  capacity: asPosted,
  company_field: asPosted,
  phone_field: asPosted,
  companion_names_field: asPosted,
  asks_questions: asPosted,
})

type LinkInput = z.output<typeof LinkOfFile>

/** For the requests that name them. */
export const linksLoadedFromFile = createSharedLookup<Link>()

export const signupLinksSection: EventSection<LinkInput[]> = {
  key: 'signup_links',
  schema: () => list(LinkOfFile, 'key'),
  load: async ({ tx, app, account }, event, links, place) => {
    const printed: [string, unknown][] = []
    for (const [n, { key: name, ticket, standing_area, ...settings }] of links.entries()) {
      const at = [...place, n]
      const form = { ...settings, ...idsOf(event, { ticket, standing_area }, at) }
      const closed = Array.from(event.standingAreas.values()).filter((area) => area.tickets.includes(ticket))
      const link = await refusalsAsFileFaults(at, () =>
        createLinkInTransaction(
          tx,
          app,
          event.id,
          NewLink.read({ guest_list_form: form }),
          standing_area === null ? [] : closed,
        ),
      )
      linksLoadedFromFile(event).set(name, link)
      printed.push([name, { public_id: link.publicId, public_url: signupLinkUrl(app, account, link.sealedToken) }])
    }
    return Object.fromEntries(printed)
  },
  export: exportLinks,
}

const idsOf = (event: LoadedEvent, named: Pick<LinkInput, 'ticket' | 'standing_area'>, at: JsonPath) => ({
  ticket_id: findByKey(event.tickets, named.ticket, [...at, 'ticket'], 'ticket').id,
  event_capacity_pool_id:
    named.standing_area === null
      ? null
      : findByKey(event.standingAreas, named.standing_area, [...at, 'standing_area'], 'standing area').id,
})

/** Fields of the API that the file calls by another name. */
const FILE_NAMES: Record<string, string> = { ticket_id: 'ticket', event_capacity_pool_id: 'standing_area' }

/** A refusal of the API as a fault of the file. */
export const refusalsAsFileFaults = async <T>(at: JsonPath, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const [field, messages] = Object.entries(error.errors)[0]!
    throw fileFaultAt(field === 'base' ? at : [...at, FILE_NAMES[field] ?? field], messages[0]!)
  }
}
