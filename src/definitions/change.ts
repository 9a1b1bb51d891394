import { isDeepStrictEqual } from 'node:util'
import { Conflict } from '../kernel/refusals.ts'
import { type Definition, type Fields, type StoredValues, type CommonValues, requireNoFaults, toRow } from './define.ts'

/** What a change does to a thing: the columns to write, and the keys that differ; none of either where it changes nothing. */
export interface ComputedChange {
  columns: Record<string, unknown>
  keys: string[]
}

/** What was sent for a thing, as far as it is another value; refused where the thing could not be so. */
export const computeChange = <F extends Fields>(
  definition: Definition<F>,
  current: { thing: StoredValues<Definition<F>>; row: object },
  sent: Readonly<Record<string, unknown>>,
  now: Date,
): ComputedChange => {
  const kept = current.thing as Record<string, unknown>
  const keys = Object.keys(definition.fields).filter(
    (key) => sent[key] !== undefined && !isDeepStrictEqual(sent[key], kept[key]),
  )
  const given = Object.fromEntries(keys.map((key) => [key, sent[key]]))
  if (keys.length > 0) requireNoFaults(definition, { ...kept, ...given } as unknown as CommonValues<F>)
  return { columns: toRow(definition, given, now, { ...current.row }), keys }
}

/** Without a version nothing is compared: the last write wins. */
export const requireVersion = (
  { lockVersion }: { lockVersion: number },
  known: number | null | undefined,
  noun: string,
): void => {
  if (known !== null && known !== undefined && known !== lockVersion) {
    throw new Conflict(`This ${noun} was changed by someone else; reload and try again`)
  }
}
