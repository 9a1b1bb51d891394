import { z } from 'zod'
import { directoryOf } from '../access/shards.ts'
import { defineAppJob } from '../jobs/context.ts'
import { postToPublicUrl } from '../outgoing/post.ts'
import { encryptPush, vapidHeader } from './encrypt-push.ts'
import { PUSH_JOB } from './notify.ts'
import { pushKeysOf } from './push-keys.ts'
import { findPushToSend, deleteOldNotifications, deleteDeadSubscription } from './records.ts'
import { showNotification } from './wire.ts'

/** How long a push service keeps a message for a browser that is off. */
const KEEP_SECONDS = 24 * 60 * 60

class PushRefused extends Error {
  override readonly name = 'PushRefused'
  /** A service that does not want us now will not want us in a minute; one that is busy will. */
  readonly permanent: boolean

  constructor(status: number) {
    super(`The push service answered ${status}`)
    this.permanent = status < 500 && status !== 429 && status !== 408
  }
}

/** Shows one notification in one browser. A browser that is gone for good is forgotten. */
const push = defineAppJob({
  ...PUSH_JOB,
  payload: z.object({ account_id: z.int(), notification_id: z.int(), subscription_id: z.int() }),
  attempts: 6,
  run: async (payload, { context: { app } }) => {
    const { account_id: accountId, notification_id: notificationId, subscription_id: subscriptionId } = payload
    const told = await findPushToSend(app.database, { accountId, notificationId, subscriptionId })
    if (!told) return

    const { endpoint } = told
    const browser = { p256dh: Buffer.from(told.p256dh, 'base64'), auth: Buffer.from(told.auth, 'base64') }
    const message = Buffer.from(JSON.stringify(showNotification(app.settings.baseUrl, told)))
    const identity = vapidHeader(await pushKeysOf(directoryOf(app).kysely, app), {
      endpoint,
      contact: app.settings.baseUrl,
      now: app.clock.now(),
    })
    const headers = {
      authorization: identity,
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(KEEP_SECONDS),
      urgency: 'normal',
    }
    const status = await postToPublicUrl(
      app.settings,
      endpoint,
      { headers, body: encryptPush(message, browser) },
      'origin',
    )

    if (status === 404 || status === 410) return deleteDeadSubscription(app.database, accountId, subscriptionId)
    if (status >= 300) throw new PushRefused(status)
  },
})

const AT_ONCE = 1_000

const sweepNotifications = defineAppJob({
  name: 'notifications.sweep',
  payload: z.object({}),
  every: '1 day',
  run: async (_payload, { context: { app }, signal }) => {
    let count = AT_ONCE
    while (count === AT_ONCE && !signal.aborted) count = await deleteOldNotifications(app.database, AT_ONCE)
  },
})

export const notificationJobs = [push, sweepNotifications]
