import ts from 'typescript-api'
import type { JsonShape } from './json-shape.ts'
import type { Project } from './project.ts'
import { isNullable, propertiesOf } from './types.ts'

const SCALARS = {
  string: ts.TypeFlags.StringLike,
  number: ts.TypeFlags.NumberLike,
  boolean: ts.TypeFlags.BooleanLike,
}

/** Where JSON that a statement builds is not what it is declared as, each with its path. */
export const compareJson = (
  project: Project,
  declared: readonly ts.Type[],
  shape: JsonShape | null,
  path: string,
  node: ts.Node,
): { path: string; message: string }[] => {
  const { checker } = project
  const types = declared.map((type) => checker.getNonNullableType(type))
  const isAnything = (type: ts.Type) => type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)
  if (!shape || declared.some(isAnything) || types.some(isAnything)) return []
  const name = types.map((type) => checker.typeToString(type)).join(' | ')
  const parts = types.flatMap((type) => (type.isUnion() ? type.types : [type]))

  if (shape.kind === 'scalar') {
    const fits = parts.every((part) => part.flags & SCALARS[shape.is] || part.isIntersection())
    return fits ? [] : [{ path, message: `is declared as ${name}, but built as a ${shape.is}.` }]
  }
  if (shape.kind === 'list') {
    const items = parts.map((part) => checker.getIndexTypeOfType(part, ts.IndexKind.Number))
    const known = items.filter((item) => item !== undefined)
    if (known.length === 0) return [{ path, message: `is declared as ${name}, but built as a list.` }]
    return compareJson(project, known, shape.item, `${path}[]`, node)
  }
  if (parts.some((part) => checker.getIndexInfosOfType(part).length > 0)) return []
  const properties = propertiesOf(project, parts, node)
  const missing = [...properties].filter(([key, types]) => !shape.properties.has(key) && !types.some(mayBeMissing))
  return [
    ...missing.map(([key]) => ({ path: `${path}.${key}`, message: `is declared by ${name}, but not built.` })),
    ...[...shape.properties].flatMap(([key, value]) => {
      const inner = properties.get(key)
      const at = `${path}.${key}`
      if (!inner) return { path: at, message: `is built, but not declared by ${name}.` }
      const faults = compareJson(project, inner, value.shape, at, node)
      if (!value.isNullable || inner.some(isNullable)) return faults
      return [...faults, { path: at, message: 'is declared as not null, but nothing proves that it is never null.' }]
    }),
  ]
}

const mayBeMissing = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.some(mayBeMissing) : !!(type.flags & ts.TypeFlags.Undefined)
