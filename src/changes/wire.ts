import { z } from 'zod'
import type { CallerScope } from '../access/scopes.ts'
import { named } from '../http/wire.ts'
import type { AccountChanges } from './records.ts'
import { TOPICS, type Topic, readablePartsOf } from './rules.ts'

const Version = z.string()

export const Changes = named(
  'Changes',
  z.object({
    /** A version for each topic that the caller may read. It says nothing but whether something has changed. */
    topics: z.object(Object.fromEntries(TOPICS.map((topic) => [topic, Version.optional()])) as TopicFields),
  }),
  { topics: { orders: '5f0c1d2ab93e44d1', vouchers: '0b7712cc08a5e6f3' } },
)

type TopicFields = Record<Topic, z.ZodOptional<typeof Version>>

const VERSION_LENGTH = 16

/** What of the account's changes the caller may know. The numbers behind a version are nobody's business. */
export const showChanges = (changes: AccountChanges, scope: CallerScope): z.output<typeof Changes> => {
  const own = changes.assignments.find(({ membershipId }) => membershipId === scope.actor.membershipId)
  const eventIds = new Set(own?.eventIds)
  const topics: z.output<typeof Changes>['topics'] = {}
  for (const topic of TOPICS) {
    const isReadable = readablePartsOf(topic, scope, eventIds)
    if (!isReadable) continue
    const seen = changes.parts.filter((each) => each.topic === topic && isReadable(each.part))
    topics[topic] = scope.app.secrets
      .sign('changes', JSON.stringify([scope.account.id, seen]))
      .toString('hex')
      .slice(0, VERSION_LENGTH)
  }
  return { topics }
}
