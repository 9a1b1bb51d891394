import { type Definition, type Fields, type Stored, fromRow } from '../../definitions/define.ts'

type PartRow = Readonly<Record<string, unknown>> & {
  id: number
  position: number
  lock_version: number
  created_at: Date
  updated_at: Date
}

/** A ticket, standing area or question of an event as it is kept. */
export interface EventPart<D, Row> {
  id: number
  /** From 0. */
  position: number
  lockVersion: number
  createdAt: Date
  updatedAt: Date
  thing: Stored<D>
  row: Row
}

export const partOf = <F extends Fields, Row extends PartRow>(
  definition: Definition<F>,
  row: Row,
): EventPart<Definition<F>, Row> => ({
  id: row.id,
  position: row.position,
  lockVersion: row.lock_version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  thing: fromRow(definition, row),
  row,
})
