import { z } from 'zod'
import { type BodyReader, isRecord } from '../../http/body.ts'
import { Invalid } from '../../kernel/refusals.ts'
import {
  BLANK_MESSAGE,
  INVALID_MESSAGE,
  NOT_INCLUDED_MESSAGE,
  characterCount,
  tooLongMessage,
} from '../../kernel/messages.ts'
import {
  ATTEMPTS_PER_SYNC_MAX,
  type AttemptKind,
  CLIENT_ID_MAX,
  ATTEMPT_KINDS,
  REASON_MAX,
  REFUSED_AT_THE_DOOR_MESSAGE,
  parseScanTime,
} from '../rules.ts'

export interface AttemptInput {
  clientId: string
  eventSlug: string
  publicId: string
  /** Null where the device gave no time that can be read. */
  scannedAt: Date | null
  kind: AttemptKind
  /** Null where there is none, or none that can be kept. */
  reason: string | null
  /** Why the device let nobody in by it; null where it did. */
  refused: string | null
}

/**
 * A batch with a structural fault is refused whole, before anything is processed; what merely names nothing is for the
 * result of its own attempt to say. Ten thousand attempts are read by hand, a schema would take its time.
 */
export const attemptsBody: BodyReader<AttemptInput[]> = {
  schema: z.object({
    attempts: z
      .array(
        z.object({
          client_id: z.string().min(1).max(CLIENT_ID_MAX),
          event_slug: z.string(),
          public_id: z.string(),
          scanned_at: z.string().optional(),
          kind: z.enum(ATTEMPT_KINDS).optional(),
          reason: z.string().max(REASON_MAX).optional(),
          refused: z.string().max(REASON_MAX).optional(),
        }),
      )
      .max(ATTEMPTS_PER_SYNC_MAX),
  }),
  read: (json) => {
    const attempts = isRecord(json) ? json['attempts'] : undefined
    if (!Array.isArray(attempts)) throw new Invalid({ attempts: ['must be a list'] })
    if (attempts.length > ATTEMPTS_PER_SYNC_MAX) {
      throw new Invalid({ attempts: [`is too long (maximum is ${ATTEMPTS_PER_SYNC_MAX} attempts)`] })
    }
    return attempts.map(readAttempt)
  },
}

const readAttempt = (given: unknown): AttemptInput => {
  if (!isRecord(given)) throw new Invalid({ attempts: ['must be a list of objects'] })
  return {
    clientId: readClientId(given['client_id']),
    eventSlug: readName(given['event_slug']),
    publicId: readName(given['public_id']),
    scannedAt: parseScanTime(given['scanned_at']),
    kind: readKind(given['kind']),
    reason: given['kind'] === 'annulment' ? readReason(given['reason']) : null,
    refused: readRefusal(given['refused']),
  }
}

const readKind = (given: unknown): AttemptKind => {
  if (given === undefined || given === null) return 'entry'
  const kind = ATTEMPT_KINDS.find((each) => each === given)
  if (!kind) throw new Invalid({ kind: [NOT_INCLUDED_MESSAGE] })
  return kind
}

/** Said at all, it is a refusal: nobody is let in because its reason cannot be kept. */
const readRefusal = (given: unknown): string | null => {
  if (given === undefined || given === null || given === false) return null
  return readReason(given) ?? REFUSED_AT_THE_DOOR_MESSAGE
}

/** Null for what is no reason; the rule says what is missing. */
export const readReason = (given: unknown): string | null => {
  if (typeof given !== 'string' || given.includes('\0') || !given.isWellFormed()) return null
  const reason = given.trim()
  return reason === '' || characterCount(reason) > REASON_MAX ? null : reason
}

export const readClientId = (given: unknown) => {
  const text = typeof given === 'number' ? String(given) : given
  if (text === undefined || text === null || text === '') throw new Invalid({ client_id: [BLANK_MESSAGE] })
  if (typeof text !== 'string' || text.includes('\0') || !text.isWellFormed())
    throw new Invalid({ client_id: [INVALID_MESSAGE] })
  if (text.trim() === '') throw new Invalid({ client_id: [BLANK_MESSAGE] })
  if (characterCount(text) > CLIENT_ID_MAX) throw new Invalid({ client_id: [tooLongMessage(CLIENT_ID_MAX)] })
  return text
}

const NAME_KEPT = 255

/** What is no name, or too long for one, names nothing; so much of it is kept as the log needs. */
const readName = (given: unknown) =>
  typeof given === 'string' || typeof given === 'number'
    ? String(given).replaceAll('\0', '\uFFFD').toWellFormed().slice(0, NAME_KEPT).toWellFormed()
    : ''
