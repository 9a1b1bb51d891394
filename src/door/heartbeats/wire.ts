import { z } from 'zod'
import { fault, field, integerOr, isEmpty, optionalText } from '../../http/fields.ts'
import { Timestamp, named } from '../../http/wire.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'
import { scanTimeOf } from '../rules.ts'

const optionalTimestamp = () =>
  field({ type: ['string', 'null'], format: 'date-time' }, (value) =>
    isEmpty(value) ? null : (scanTimeOf(value) ?? fault(INVALID_MESSAGE)),
  )

export const HeartbeatWish = z.object({
  queue: integerOr(0, { least: 0 }),
  snapshot_at: optionalTimestamp(),
  app_version: optionalText(),
})

export const HeartbeatAnswer = named('HeartbeatAnswer', z.object({ events_changed_at: Timestamp }), {
  events_changed_at: '2026-12-15T17:20:00.000Z',
})
