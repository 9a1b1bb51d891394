import { keyOfId, omitNulls } from '../../admissions/export/export-orders.ts'
import { inBatches } from '../../loading/batches.ts'
import type { ExportContext, ExportedEvent } from '../../loading/section.ts'
import { findLinks } from '../links/records.ts'
import type { AnswerWithQuestion, RequestStatus } from '../requests/rules.ts'
import { type ExportedRequest, findRequestsToExport } from './records.ts'

const linkKey = (n: number) => `link-${n + 1}`

/** Links without their addresses, which are secrets: loaded again, they get new ones. */
export async function* exportLinks({ rows }: ExportContext, event: ExportedEvent) {
  for (const [n, link] of (await findLinks(rows, event.id)).entries()) {
    yield {
      key: linkKey(n),
      name: link.name,
      enabled: link.enabled,
      approval_mode: link.approvalMode,
      ticket: keyOfId(event.tickets, link.ticketId),
      standing_area: keyOfId(event.standingAreas, link.standingAreaId),
      max_companions: link.maxCompanions,
      capacity: link.capacity,
      company_field: link.companyField,
      phone_field: link.phoneField,
      companion_names_field: link.companionNamesField,
      asks_questions: link.asksQuestions,
    }
  }
}

/** Requests that were approved name the party they led to. */
export async function* exportRequests({ rows }: ExportContext, event: ExportedEvent) {
  const links = new Map((await findLinks(rows, event.id)).map(({ id }, n) => [id, linkKey(n)]))
  for await (const request of inBatches((batch) => findRequestsToExport(rows, event.id, batch))) {
    const waiting = request.additions.find(({ isDecided }) => !isDecided)
    yield omitNulls({
      link: keyOfId(links, request.linkId),
      name: request.name,
      email: request.email,
      company: request.company,
      phone: request.phone,
      companions: request.companions,
      companion_names: request.companionNames,
      custom_field_answers: answersOf(event, request.answers),
      status: statusOf(request.isReviewed, request.party),
      party: request.party,
      additions: decidedAdditions(request),
      waiting_companions: waiting?.companions ?? 0,
      waiting_companion_names: waiting && waiting.companionNames.length > 0 ? waiting.companionNames : null,
      language: request.language,
      created_at: request.createdAt,
    })
  }
}

const statusOf = (isReviewed: boolean, party: string | null): RequestStatus => {
  if (!isReviewed) return 'pending'
  return party === null ? 'rejected' : 'approved'
}

const decidedAdditions = ({ additions }: ExportedRequest) => {
  const decided = additions.filter(({ isDecided }) => isDecided)
  if (decided.length === 0) return null
  return decided.map(({ companions, companionNames, party, createdAt }) =>
    omitNulls({
      companions,
      companion_names: companionNames,
      status: statusOf(true, party),
      party,
      created_at: new Date(createdAt),
    }),
  )
}

const answersOf = (event: ExportedEvent, answers: AnswerWithQuestion[]) => {
  const given = answers.flatMap(({ id, value }): [string, unknown][] => {
    const key = event.questions.get(id)
    return key === undefined ? [] : [[key, value]]
  })
  return given.length === 0 ? null : Object.fromEntries(given)
}
