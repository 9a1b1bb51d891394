import ts from 'typescript-api'
import { keyOf } from './nodes.ts'
import type { Project } from '../project.ts'
import { type Composer, type Frame, NOTHING, type Value } from './values.ts'

/** One item of a list, or all those that are spread into it. */
export const evaluateItems = (composer: Composer, node: ts.Expression, frame: Frame): readonly Value[] => {
  if (!ts.isSpreadElement(node)) return [composer.evaluate(node, frame)]
  const value = composer.evaluate(node.expression, frame)
  return value.kind === 'list' ? value.items : [composer.opaque(node)]
}

export const propertyOf = (composer: Composer, value: Value, name: string, node: ts.Node): Value => {
  if (value.kind === 'object') return value.properties.get(name)?.() ?? NOTHING
  if (value.kind !== 'opaque') return composer.opaque(node)
  const property = composer.project.checker.getPropertyOfType(value.type, name)
  return property
    ? ofType(composer.project, composer.project.checker.getTypeOfSymbolAtLocation(property, node))
    : composer.opaque(node)
}

export const itemOf = (composer: Composer, value: Value, index: number, node: ts.Node): Value => {
  if (value.kind === 'list') return value.items[index] ?? NOTHING
  const item =
    value.kind === 'opaque' ? composer.project.checker.getIndexTypeOfType(value.type, ts.IndexKind.Number) : undefined
  return item ? ofType(composer.project, item) : composer.opaque(node)
}

export const evaluateElement = (composer: Composer, node: ts.ElementAccessExpression, frame: Frame): Value => {
  const value = composer.evaluate(node.expression, frame)
  const key = node.argumentExpression
  if (ts.isNumericLiteral(key)) return itemOf(composer, value, Number(key.text), node)
  if (value.kind !== 'object') return composer.opaque(node)
  const name = composer.evaluate(key, frame)
  const names = name.kind === 'text' ? [name.text] : [...value.properties.keys()]
  return propertyOf(
    composer,
    value,
    names[frame.run.choices.choose(keyOf(key.getText(), key), names.length)] ?? '',
    node,
  )
}

/** A type with only one value is that value. */
export const ofType = ({ checker }: Project, type: ts.Type): Value => {
  if (type.isStringLiteral()) return { kind: 'text', text: type.value }
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { kind: 'boolean', is: checker.typeToString(type) === 'true' }
  if (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return NOTHING
  return { kind: 'opaque', type }
}
