import {
  type AccountGrant,
  type Access,
  accountOwner,
  management,
  moneyManagement,
  organizer,
  setupManagement,
  teamManagement,
} from '../access/access.ts'
import type { CallerScope } from '../access/scopes.ts'
import { Refusal } from '../kernel/refusals.ts'

export const TOPICS = [
  'orders',
  'vouchers',
  'team',
  'devices',
  'tokens',
  'webhooks',
  'audit_log',
  'payment_methods',
  'account',
  'inbox',
  'events',
  'signup',
] as const
export type Topic = (typeof TOPICS)[number]

/** A topic is for those who may read what it is about. */
const READERS: Record<Topic, Access<AccountGrant>> = {
  orders: organizer('read'),
  vouchers: management('read'),
  team: teamManagement('read'),
  devices: management('read'),
  tokens: organizer('read'),
  webhooks: organizer('read'),
  audit_log: accountOwner('read'),
  payment_methods: moneyManagement('read'),
  account: setupManagement('read'),
  inbox: organizer('read'),
  events: organizer('read'),
  signup: organizer('read'),
}

/** Of which a part is an event; of the others it is a member, or 0. */
const TOPICS_BY_EVENT: ReadonlySet<Topic> = new Set<Topic>(['orders', 'events', 'signup'])

/** Which parts of a topic the caller may read, as the lists of the API show them; null: none of the topic. */
export const readablePartsOf = (
  topic: Topic,
  scope: CallerScope,
  assignedEventIds: ReadonlySet<number>,
): ((part: number) => boolean) | null => {
  if (!isReader(topic, scope)) return null
  if (TOPICS_BY_EVENT.has(topic)) {
    return scope.reach === 'account' ? () => true : (part) => assignedEventIds.has(part)
  }
  const isOwn = (part: number) => part === scope.actor.membershipId
  if (topic === 'inbox') return isOwn
  if (topic === 'tokens') return isReader('audit_log', scope) ? () => true : isOwn
  if (topic === 'webhooks') return scope.reach === 'account' ? () => true : isOwn
  return () => true
}

const isReader = (topic: Topic, scope: CallerScope): boolean => {
  try {
    READERS[topic].requires!(scope.caller)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
