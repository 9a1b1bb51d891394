import { z } from 'zod'
import { failCast, field, integerWithDefault, isEmpty, optionalText } from '../../http/fields.ts'
import { Timestamp, named } from '../../http/wire.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'
import { parseScanTime } from '../rules.ts'

const optionalTimestamp = () =>
  field({ type: ['string', 'null'], format: 'date-time' }, (value) =>
    isEmpty(value) ? null : (parseScanTime(value) ?? failCast(INVALID_MESSAGE)),
  )

export const HeartbeatFields = z.object({
  queue: integerWithDefault(0, { least: 0 }),
  snapshot_at: optionalTimestamp(),
  app_version: optionalText(),
})

export const HeartbeatAnswer = named('HeartbeatAnswer', z.object({ events_changed_at: Timestamp }), {
  events_changed_at: '2026-12-15T17:20:00.000Z',
})
