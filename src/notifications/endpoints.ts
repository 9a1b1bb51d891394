import { organizer } from '../access/access.ts'
import { created, noContent, ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { NotFound, requireFound } from '../kernel/refusals.ts'
import { pushKeysOf } from './push-keys.ts'
import { deleteSubscription, findInbox, recordAllRead, recordRead } from './records.ts'
import { subscribeBrowserToPush } from './subscribe.ts'
import {
  Inbox,
  NewSubscription,
  NotificationAnswer,
  PushKey,
  PushSubscription,
  SUBSCRIPTION_EXAMPLE,
  showNotification,
} from './wire.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'

const inbox = endpoint({
  method: 'GET',
  path: '/admin/notifications',
  operationId: 'listNotifications',
  says: 'The inbox of the acting person: the newest hundred notifications that still hold.',
  access: organizer('read'),
  exampleSetup: EXAMPLE_SETUPS.inbox,
  answers: { 200: Inbox },
  handle: async ({ account }) => {
    const { notices, unreadCount } = await findInbox(account.rows, account.actor.membershipId)
    const { baseUrl } = account.app.settings
    return ok({ notifications: notices.map((each) => showNotification(baseUrl, each)), unread_count: unreadCount })
  },
})

const notificationReading = endpoint({
  method: 'POST',
  path: '/admin/notifications/:notification_id/reading',
  operationId: 'markNotificationRead',
  says: 'Marks one notification as read.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.reading,
  answers: { 200: NotificationAnswer },
  handle: async ({ account, params }) => {
    const { membershipId } = account.actor
    const read = await account.transaction(async (tx) =>
      requireFound(await recordRead(tx, membershipId, params.notification_id)),
    )
    return ok(showNotification(account.app.settings.baseUrl, read))
  },
})

const inboxReading = endpoint({
  method: 'POST',
  path: '/admin/notifications/reading',
  operationId: 'markAllNotificationsRead',
  says: 'Marks the whole inbox as read.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.inbox,
  answers: { 204: null },
  handle: async ({ account }) => {
    await account.transaction((tx) => recordAllRead(tx, account.actor.membershipId))
    return noContent()
  },
})

const pushKey = endpoint({
  method: 'GET',
  path: '/admin/push_key',
  operationId: 'getPushKey',
  says: 'The public key that a browser subscribes to push messages with.',
  access: organizer('read'),
  answers: { 200: PushKey },
  handle: async ({ account }) => {
    const { publicKey } = await pushKeysOf(account.installationDb, account.app)
    return ok({ public_key: publicKey.toString('base64url') })
  },
})

const pushSubscriptions = endpoint({
  method: 'POST',
  path: '/admin/push_subscriptions',
  operationId: 'createPushSubscription',
  says: 'Shows the notifications of the acting person in this browser until the session or token that asks for it ends.',
  access: organizer('write'),
  body: NewSubscription,
  example: SUBSCRIPTION_EXAMPLE,
  exampleSetup: EXAMPLE_SETUPS.inbox,
  answers: { 201: PushSubscription },
  creates: true,
  handle: async ({ account, body }) => {
    const id = await subscribeBrowserToPush(account, body)
    return created({ id, endpoint: body.endpoint }, `/admin/push_subscriptions/${id}`)
  },
})

const pushUnsubscription = endpoint({
  method: 'DELETE',
  path: '/admin/push_subscriptions/:subscription_id',
  operationId: 'deletePushSubscription',
  says: 'Stops showing notifications in a browser.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.subscription,
  answers: { 204: null },
  handle: async ({ account, params }) => {
    const { membershipId } = account.actor
    await account.transaction(async (tx) => {
      if (!(await deleteSubscription(tx, membershipId, params.subscription_id))) throw new NotFound()
    })
    return noContent()
  },
})

export const notificationEndpoints = [
  inbox,
  notificationReading,
  inboxReading,
  pushKey,
  pushSubscriptions,
  pushUnsubscription,
]
