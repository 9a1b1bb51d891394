import { z } from 'zod'
import { envelope } from '../http/body.ts'
import { mapField, requiredText } from '../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../http/wire.ts'
import type { Notification } from './records.ts'

export const NotificationAnswer = named(
  'Notification',
  z.object({
    id: z.string(),
    kind: z.enum(['task_assigned', 'signup_pending', 'addition_pending']),
    title: z.string(),
    url: z.string(),
    read_at: Timestamp.nullable(),
    created_at: Timestamp,
  }),
  {
    id: 'R8tW2kQx7NfYv3ZbHcM5pd',
    kind: 'task_assigned',
    title: 'Mara Manager gave you “Order wristbands”',
    url: 'https://foyer.example/admin/tasks/4XkPz8sQm2VfRb6NwYc9Td',
    read_at: null,
    created_at: '2030-01-31T20:00:00.000Z',
  },
)

export const Inbox = named('Inbox', z.object({ notifications: z.array(NotificationAnswer), unread_count: z.int() }), {
  notifications: [exampleOf(NotificationAnswer)!],
  unread_count: 1,
})

export const showNotification = (baseUrl: string, each: Notification): z.output<typeof NotificationAnswer> => ({
  id: each.publicId,
  kind: each.kind,
  title: each.title,
  url: baseUrl + each.path,
  read_at: showTimestampOrNull(each.readAt),
  created_at: showTimestamp(each.createdAt),
})

export const PushKey = named('PushKey', z.object({ public_key: z.string() }), {
  public_key: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
})

const ENDPOINT_MAX = 2_000

/** What a browser's PushSubscription says of itself. */
export const NewSubscription = envelope(
  'push_subscription',
  z.object({ endpoint: requiredText(ENDPOINT_MAX), keys: mapField() }),
)

export const SUBSCRIPTION_EXAMPLE = {
  push_subscription: {
    endpoint: 'https://push.example.com/send/dGhpcyBpcyBhIHN1YnNjcmlwdGlvbg',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  },
}

export const PushSubscription = named('PushSubscription', z.object({ id: z.string(), endpoint: z.string() }), {
  id: 'c5TnW8xZq3RkVbP2sYfM6h',
  endpoint: 'https://push.example.com/send/dGhpcyBpcyBhIHN1YnNjcmlwdGlvbg',
})
