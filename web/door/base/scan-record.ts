import type { AttemptKind, AttemptResult } from '../../../src/door/rules.ts'

export const VERDICTS = ['in', 'in_note', 'already', 'wrong_event', 'refused', 'unpaid', 'unknown'] as const
export type VerdictKind = (typeof VERDICTS)[number]

export const isAdmitting = (verdict: VerdictKind | null): boolean => verdict === 'in' || verdict === 'in_note'

/** One scan. It is written before its verdict is shown, and stays until the server has it. */
export interface Scan {
  /** The order of scans on this phone; given when it is written. */
  seq?: number
  /** Made once; whatever way it goes to the server, it is one attempt. */
  clientId: string
  eventSlug: string
  /** What was scanned, where no ticket is known by it. */
  publicId: string
  kind: AttemptKind
  reason: string | null
  /** By the server's clock, as far as it is known. */
  scannedAt: string
  /** Null while the server is asked, and where the phone was switched off meanwhile. */
  verdict: VerdictKind | null
  /** Why it was refused here; null where it was not. */
  refusal: string | null
  /** Let in by a supervisor against the verdict. */
  isOverride: boolean
  /** `stuck`: the server refuses to take it. */
  state: 'asking' | 'unsent' | 'stuck' | 'sent'
  result: AttemptResult | null
  message: string | null
  acceptedAt: string | null
}

export const isUnsent = ({ state }: Pick<Scan, 'state'>): boolean => state !== 'sent'
