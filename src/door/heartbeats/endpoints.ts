import { doorStaff } from '../../access/access.ts'
import { ok } from '../../http/answers.ts'
import { unwrappedBody } from '../../http/body.ts'
import { endpoint } from '../../http/endpoint.ts'
import { showTimestamp } from '../../http/wire.ts'
import { recordHeartbeat } from './records.ts'
import { HeartbeatAnswer, HeartbeatFields } from './wire.ts'

const scannerHeartbeat = endpoint({
  method: 'POST',
  path: '/scanner/heartbeat',
  operationId: 'sendHeartbeat',
  says: 'What a device says of itself every half minute: how many scans it has not sent, the `generated_at` of its snapshot, and its version. Answered by when the list of its events last changed.',
  access: doorStaff('write'),
  body: unwrappedBody(HeartbeatFields),
  example: { queue: 0, snapshot_at: '2026-12-15T17:30:00.000Z', app_version: '1.0.0' },
  answers: { 200: HeartbeatAnswer },
  handle: async ({ account, body }) => {
    const changedAt = await recordHeartbeat(account, {
      queue: body.queue,
      snapshotAt: body.snapshot_at,
      appVersion: body.app_version,
    })
    return ok({ events_changed_at: showTimestamp(changedAt) })
  },
})

export const heartbeatEndpoints = [scannerHeartbeat]
