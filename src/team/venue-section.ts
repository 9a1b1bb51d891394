import type { z } from 'zod'
import { digestOf, newSecret } from '../access/tokens.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import type { JsonPath } from '../loading/fault.ts'
import {
  email,
  keyText,
  list,
  oneOf,
  optional,
  optionalText,
  text,
  strictObject,
  timestamp,
  type ReadingContext,
} from '../loading/fields.ts'
import { allocateIds, insertRows } from '../loading/records.ts'
import { type LoadContext, type Section, findByKey } from '../loading/section.ts'
import { findOpenInvitations, insertLoadedInvitations } from './invitations/records.ts'
import { INVITATION_LINK_SEAL_PURPOSE } from './invitations/rules.ts'
import { ASSIGNABLE_ROLES } from './rules.ts'

const Program = strictObject({ name: text(), code: optionalText() })

const Invitation = (terms: ReadingContext) =>
  strictObject({
    email: email(),
    role: oneOf(ASSIGNABLE_ROLES),
    events: list(keyText(), 'itself'),
    promoter_programs: list(Program, 'name'),
    created_at: optional(timestamp(terms)),
  })
    .refine((each) => (each.role === 'co_organizer') === each.events.length > 0, {
      path: ['events'],
      error: 'co-organizers are invited to at least one event, and nobody else to any',
    })
    .refine((each) => each.role === 'promoter' || each.promoter_programs.length === 0, {
      path: ['promoter_programs'],
      error: 'only promoters are invited to programs',
    })

type InvitationInput = z.output<ReturnType<typeof Invitation>>

/** Invitations that were sent before the venue came here; nothing is mailed. */
export const invitationsSection: Section<InvitationInput[]> = {
  key: 'invitations',
  schema: (terms) => list(Invitation(terms), 'email'),
  load: async (context, invitations, place) => {
    if (invitations.length === 0) return {}
    const { tx, app, terms } = context
    const ids = await allocateIds(tx, 'invitations', invitations.length)
    await insertLoadedInvitations(
      tx,
      invitations.map((each, n) => {
        const token = newSecret()
        return {
          id: ids[n]!,
          email: each.email,
          role: each.role,
          digest: digestOf(token),
          sealedToken: app.secrets.seal(INVITATION_LINK_SEAL_PURPOSE, token),
          createdAt: each.created_at ?? terms.now,
        }
      }),
    )
    await insertPrograms(context, invitations, ids)
    context.later(() => insertEvents(context, invitations, ids, place))
    return Object.fromEntries(invitations.map((each, n) => [each.email, { id: ids[n]! }]))
  },
  // Who has accepted is among the people, and who was uninvited is nobody's business any more.
  export: async function* ({ rows }) {
    for (const { email: address, role, events, programs, createdAt } of await findOpenInvitations(rows)) {
      yield { email: address, role, events, promoter_programs: programs, created_at: createdAt }
    }
  },
}

/** A program is known by its name: two invitations that name it mean the same one. */
const insertPrograms = async ({ tx }: LoadContext, invitations: InvitationInput[], ids: number[]) => {
  const names = [...new Set(invitations.flatMap((each) => each.promoter_programs.map(({ name }) => name)))]
  const programIds = await allocateIds(tx, 'promoter_programs', names.length)
  await insertRows(
    tx,
    'promoter_programs',
    names.map((name, n) => ({ id: programIds[n]!, public_id: newPublicId(), name })),
  )
  await insertRows(
    tx,
    'invitation_programs',
    invitations.flatMap((each, n) =>
      each.promoter_programs.map(({ name, code }, position) => ({
        invitation_id: ids[n]!,
        program_id: programIds[names.indexOf(name)]!,
        position,
        code,
      })),
    ),
  )
}

const insertEvents = async (
  { tx, events }: LoadContext,
  invitations: InvitationInput[],
  ids: number[],
  place: JsonPath,
) => {
  await insertRows(
    tx,
    'invitation_events',
    invitations.flatMap((each, n) =>
      each.events.map((slug, m) => ({
        invitation_id: ids[n]!,
        event_id: findByKey(events, slug, [...place, n, 'events', m], 'event').id,
      })),
    ),
  )
}
