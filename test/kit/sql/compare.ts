import ts from 'typescript-api'
import type { Catalogue } from './catalogue.ts'
import { compareJson } from './compare-json.ts'
import { isNullable, partsOf, propertiesOf } from './types.ts'
import type { Column } from './describe.ts'
import type { Project } from './project.ts'
import type { Statement } from './statements.ts'

/** Reads a value of a type as the driver would. */
export type Parse = (type: number, text: string) => unknown

export interface Comparison {
  project: Project
  catalogue: Catalogue
  /** Every set of parsers that may read an answer, for those of the pool and for any others. */
  parsers: { ofPool: Parse; ofOthers: Parse }
  /** The words that a column may hold, as `relation.column`. */
  words: ReadonlyMap<string, readonly string[]>
}

export interface Fault {
  place: string
  message: string
}

/** One of each type that statements answer with. */
const SAMPLES: Record<string, string> = {
  int2: '1',
  int4: '1',
  int8: '1',
  float4: '1',
  float8: '1',
  numeric: '1',
  text: 'a',
  varchar: 'a',
  bpchar: 'a',
  citext: 'a',
  name: 'a',
  uuid: '00000000-0000-0000-0000-000000000000',
  inet: '::1',
  interval: '1 day',
  date: '2020-01-01',
  bool: 't',
  bytea: '\\x00',
  timestamptz: '2020-01-01 00:00:00+00',
  void: '',
}

/** Holds the row that a statement declares against what PostgreSQL answers it with. */
export const compareRow = (comparison: Comparison, statement: Statement, columns: readonly Column[]): Fault[] => {
  const { row, node, place, text } = statement
  if (!row) {
    const isRead = statement.isUnchecked && columns.some(({ type }) => type !== 'void')
    return isRead ? [{ place, message: `${place}: the statement answers with rows, but declares none.` }] : []
  }
  const { checker } = comparison.project
  const name = checker.typeToString(row)
  const fault = (column: string, message: string): Fault => {
    return { place, message: `${place}: column "${column}" ${message}` }
  }

  const properties = propertiesOf(comparison.project, partsOf(row), node)
  const taken = takenAsNotNull(text)
  const answered = new Map(columns.map((column) => [column.name, column]))
  const missing = [...properties.keys()].filter((each) => !answered.has(each))
  const twice = columns.filter((column) => answered.get(column.name) !== column)
  return [
    ...missing.map((each) => fault(each, `is declared by ${name}, but PostgreSQL answers without it.`)),
    ...twice.map((column) => fault(column.name, 'is answered twice, and one of the two is lost.')),
    ...columns.flatMap((column) => {
      const types = properties.get(column.name)
      // What a function is called for and not for its answer.
      if (!types && column.type === 'void') return []
      if (!types) return fault(column.name, `is answered by PostgreSQL, but not declared by ${name}.`)
      const declared = types.map((type) => checker.typeToString(type)).join(' | ')
      if (!types.every((type) => fits(comparison, statement, column, checker.getNonNullableType(type)))) {
        return fault(
          column.name,
          `is declared as ${declared}, but PostgreSQL answers with ${describe(comparison, column)}.`,
        )
      }
      const inside = compareJson(comparison.project, types, column.json, column.name, node)
      if (inside.length > 0) return inside.map(({ path, message }) => fault(path, message))
      const isUnproven = column.isNullable && !types.some(isNullable)
      if (isUnproven === taken.has(column.name)) return []
      return isUnproven
        ? fault(column.name, `is declared as ${declared}, but nothing proves that it is never null.`)
        : fault(column.name, 'needs not be taken as not null any more.')
    }),
    ...[...taken]
      .filter((each) => !answered.has(each))
      .map((each) => fault(each, 'is taken as not null, but not answered.')),
  ]
}

/** `-- taken as not null: a, b (the reason)` in a statement vouches for what cannot be proven. */
const TAKEN = /-- taken as not null: ([\w, ]+) \(.+\)$/gm

const takenAsNotNull = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(TAKEN), ([, names]) => names!.split(', ')).flat())

const describe = ({ words }: Comparison, { type, origin }: Column) => {
  const known = origin === null ? undefined : words.get(origin)
  return known ? `${type}, one of ${known.join(', ')}` : type
}

const fits = (comparison: Comparison, { isThroughPool }: Statement, column: Column, declared: ts.Type): boolean => {
  const { project, catalogue, parsers, words } = comparison
  const type = catalogue.types.get(column.type)
  if (!type) return false
  // Always null, in one of several alternatives.
  if (declared.flags & ts.TypeFlags.Never) return true
  const readers = isThroughPool ? [parsers.ofPool] : [parsers.ofPool, parsers.ofOthers]
  if (type.itemName === null) {
    const known = column.origin === null ? undefined : words.get(column.origin)
    return isOfType(project, declared, type, readers) && (!known || takesAll(declared, known))
  }
  const item = project.checker.getIndexTypeOfType(declared, ts.IndexKind.Number)
  return !!item && isOfType(project, item, { oid: type.itemOid, name: type.itemName }, readers)
}

const isOfType = (
  { checker }: Project,
  declared: ts.Type,
  { oid, name }: { oid: number; name: string },
  readers: readonly Parse[],
): boolean => {
  if (declared.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return true
  if (name === 'json' || name === 'jsonb') return !hasOtherThanJson(checker, declared)
  const sample = SAMPLES[name]
  if (sample === undefined) return false
  return partsOf(checker.getNonNullableType(declared)).every((part) => {
    return readers.every((parse) => isKind(part, parse(oid, sample)))
  })
}

const isKind = (type: ts.Type, value: unknown): boolean => {
  // Text with a mark on it, for the compiler alone.
  if (type.isIntersection()) return type.types.some((part) => isKind(part, value))
  if (typeof value === 'string') return !!(type.flags & ts.TypeFlags.StringLike)
  if (typeof value === 'number') return !!(type.flags & ts.TypeFlags.NumberLike)
  if (typeof value === 'boolean') return !!(type.flags & ts.TypeFlags.BooleanLike)
  return type.symbol?.name === (value as object).constructor.name
}

/** Nothing but what JSON knows: no dates and no bytes. */
const hasOtherThanJson = (checker: ts.TypeChecker, type: ts.Type, depth = 0): boolean =>
  partsOf(checker.getNonNullableType(type)).some((part) => {
    if (depth > 4 || !(part.flags & ts.TypeFlags.Object)) return false
    if (['Date', 'Buffer', 'Map', 'Set'].includes(part.symbol?.name ?? '')) return true
    const item = checker.getIndexTypeOfType(part, ts.IndexKind.Number)
    if (item) return hasOtherThanJson(checker, item, depth + 1)
    return checker
      .getPropertiesOfType(part)
      .some((property) => hasOtherThanJson(checker, checker.getTypeOfSymbol(property), depth + 1))
  })

const takesAll = (type: ts.Type, words: readonly string[]): boolean => {
  const parts = partsOf(type)
  if (parts.some((part) => !part.isStringLiteral())) return true
  return words.every((word) => parts.some((part) => part.isStringLiteral() && part.value === word))
}
