import { type Definition, type Fields, type StoredValues, fromRow } from '../../definitions/define.ts'

type PartRow = Readonly<Record<string, unknown>> & {
  id: number
  position: number
  lock_version: number
  created_at: Date
  updated_at: Date
}

/** A ticket, standing area or question of an event as it is kept. */
export interface StoredEventPart<D, Row> {
  id: number
  /** From 0. */
  position: number
  lockVersion: number
  createdAt: Date
  updatedAt: Date
  thing: StoredValues<D>
  row: Row
}

export const storedPartOf = <F extends Fields, Row extends PartRow>(
  definition: Definition<F>,
  row: Row,
): StoredEventPart<Definition<F>, Row> => ({
  id: row.id,
  position: row.position,
  lockVersion: row.lock_version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  thing: fromRow(definition, row),
  row,
})
