import { isRecord } from './body.ts'
import { optionalInteger } from './fields.ts'

/** The version that a body speaks of, whatever else is wrong with it; null when that cannot be read. */
export const readLockVersionInEnvelope = (sent: unknown, envelope: string): number | null =>
  isRecord(sent) ? readLockVersion(sent[envelope]) : null

/** The same for a body without an envelope. */
export const readLockVersion = (sent: unknown): number | null =>
  isRecord(sent) ? (optionalInteger().safeParse(sent['lock_version']).data ?? null) : null
