import type { z } from 'zod'
import { ROLES } from '../access/callers.ts'
import { hashPassword } from '../access/passwords.ts'
import { type JsonPath } from '../loading/fault.ts'
import { email, keyText, list, oneOf, optional, password, requiredList, text, strictObject } from '../loading/fields.ts'
import { type LoadContext, type Section, findByKey } from '../loading/section.ts'
import { findMembers } from './export/records.ts'
import {
  FIRST_CREDENTIAL_EPOCH,
  findPeopleByEmail,
  insertAssignments,
  insertMemberships,
  insertMissingPeople,
} from './records.ts'

const Person = strictObject({
  name: text(),
  email: email(),
  password: optional(password()),
  role: oneOf(ROLES),
  state: oneOf(['active', 'deactivated']).default('active'),
  events: list(keyText(), 'itself'),
}).refine((person) => person.role === 'co_organizer' || person.events.length === 0, {
  path: ['events'],
  error: 'only co-organizers are assigned to events',
})

const People = requiredList(Person, 'email').refine(
  (people) => people.some((person) => person.role === 'owner' && person.state === 'active'),
  { error: 'at least one active owner is needed' },
)

type PersonInput = z.output<typeof Person>

export const peopleSection: Section<PersonInput[]> = {
  key: 'people',
  schema: () => People,
  load: async (context, people, place) => {
    const known = await knowPeople(context, people)
    const ids = await insertMemberships(
      context.tx,
      people.map((person) => ({
        personId: known.get(person.email)!.id,
        role: person.role,
        deactivatedAt: person.state === 'deactivated' ? context.terms.now : null,
      })),
    )

    for (const [n, person] of people.entries()) {
      const { id: personId, name } = known.get(person.email)!
      const { email: address, role, state } = person
      const membership = {
        membershipId: ids[n]!,
        credentialEpoch: FIRST_CREDENTIAL_EPOCH,
        role,
        isActive: state === 'active',
      }
      context.people.set(address, { personId, name, email: address, ...membership })
    }
    context.later(() => assignEvents(context, people, place))

    return Object.fromEntries(
      Array.from(context.people.values(), (member) => [
        member.email,
        { user_id: member.personId, membership_id: member.membershipId },
      ]),
    )
  },
  export: async function* ({ rows }) {
    for (const { name, email: address, role, isActive, events } of await findMembers(rows)) {
      yield { name, email: address, role, state: isActive ? 'active' : 'deactivated', events }
    }
  },
}

/** People are shared by all accounts: who is known already keeps name and password, also if that is none. */
const knowPeople = async ({ tx }: LoadContext, people: PersonInput[]) => {
  const emails = people.map((person) => person.email)
  const known = await findPeopleByEmail(tx, emails)
  const strangers = people.filter((person) => !known.has(person.email))
  if (strangers.length === 0) return known

  const newPeople = strangers.map(async ({ name, email: address, password: secret }) => ({
    name,
    email: address,
    passwordDigest: secret === null ? null : await hashPassword(secret),
  }))
  await insertMissingPeople(tx, await Promise.all(newPeople))
  return findPeopleByEmail(tx, emails)
}

const assignEvents = async ({ tx, events, people: members }: LoadContext, people: PersonInput[], place: JsonPath) => {
  const assignments = people.flatMap((person, n) =>
    person.events.map((slug, m) => ({
      membershipId: members.get(person.email)!.membershipId,
      eventId: findByKey(events, slug, [...place, n, 'events', m], 'event').id,
    })),
  )
  await insertAssignments(tx, assignments)
}
