import type { Tx } from '../access/scopes.ts'
import { enqueueMany } from '../jobs/enqueue.ts'
import type { LaneJob } from '../jobs/lane.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { type NotificationKind, findOwnerAndManagerIds, findSubscriptions, insertNotifications } from './records.ts'

export interface NotificationContent {
  kind: NotificationKind
  /** The public ID of what it is about; told again about the same thing, the first notification is renewed. */
  subject: string
  title: string
  /** An address of the console. */
  path: string
  taskId?: number
  eventId?: number
}

/** Tells members, in the transaction of what they are told about; whoever did it is not told. */
export const notifyMembers = async (
  tx: Tx,
  notice: NotificationContent & { recipients: readonly number[]; actor: number | null },
): Promise<void> => {
  const recipients = [...new Set(notice.recipients)].filter((id) => id !== notice.actor)
  if (recipients.length === 0) return

  const { kind, subject, title, path, taskId = null, eventId = null } = notice
  const told = await insertNotifications(
    tx,
    recipients.map((recipientId) => ({
      publicId: newPublicId(),
      recipientId,
      kind,
      subject,
      title,
      path,
      taskId,
      eventId,
    })),
  )
  const subscriptions = await findSubscriptions(tx, recipients)
  const notificationOf = new Map(told.map(({ id, recipientId }) => [recipientId, id]))
  await enqueueMany(
    tx.db,
    PUSH_JOB,
    subscriptions.map(({ id, membershipId }) => ({
      account_id: tx.accountId,
      notification_id: notificationOf.get(membershipId)!,
      subscription_id: id,
    })),
  )
}

/** The same for all active owners and managers: what guests ask for is nobody's own doing. */
export const notifyOwnersAndManagers = async (tx: Tx, notice: NotificationContent): Promise<void> =>
  notifyMembers(tx, { ...notice, recipients: await findOwnerAndManagerIds(tx), actor: null })

interface PushPayload {
  account_id: number
  notification_id: number
  subscription_id: number
}

export const PUSH_JOB: LaneJob<PushPayload> = { name: 'notifications.push', lane: 'push' }
