import type { VerdictKind } from '../base/scan-record.ts'

/** One sign each, told apart by shape alone. */
const PATHS: Record<VerdictKind, string> = {
  in: 'M14 34l13 13 24-28',
  in_note: 'M6 34l11 11 18-22M48 16v22M48 48v1',
  already: 'M14 22a20 20 0 1 1-2 14M14 10v13h13M32 22v12l8 5',
  wrong_event: 'M10 22h38l-9-9M54 42H16l9 9',
  refused: 'M16 16l32 32M48 16L16 48',
  unpaid: 'M46 18a18 18 0 1 0 0 28M10 28h26M10 37h26',
  unknown: 'M22 24a10 10 0 1 1 14 9c-3 1.500-4 3-4 7M32 50v1',
}

export const VerdictSign = ({ verdict }: { verdict: VerdictKind }) => (
  <svg class="sign" viewBox="0 0 64 64" aria-hidden="true">
    <path d={PATHS[verdict]} />
  </svg>
)
