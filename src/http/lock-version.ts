import { isRecord } from './body.ts'
import { optionalInteger } from './fields.ts'

/** The version that a body speaks of, whatever else is wrong with it; null when that cannot be read. */
export const readVersion = (sent: unknown, envelope: string): number | null => {
  const inside = isRecord(sent) ? sent[envelope] : undefined
  return isRecord(inside) ? (optionalInteger().safeParse(inside['lock_version']).data ?? null) : null
}
