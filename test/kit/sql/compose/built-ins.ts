import ts from 'typescript-api'
import { isKyselySql } from '../types.ts'
import { type Composer, type Frame, NotComposable, type Sql, type Value } from './values.ts'

type Args = readonly (() => Value)[]

/** Functions of Kysely and of the language that put texts together. */
export const callBuiltIn = (composer: Composer, node: ts.CallExpression, frame: Frame, args: Args): Value | null => {
  const callee = node.expression
  if (!ts.isPropertyAccessExpression(callee)) return null
  const method = callee.name.text
  if (isKyselySql(composer.project, callee.expression)) return callKysely(composer, node, method, args)
  if (ts.isIdentifier(callee.expression) && callee.expression.text === 'Object')
    return callObject(composer, method, args)
  return callList(composer, node, method, composer.evaluate(callee.expression, frame), args)
}

const callKysely = (composer: Composer, node: ts.CallExpression, method: string, args: Args): Value => {
  const value = args[0]?.() ?? composer.opaque(node)
  if (method === 'join') return join(node, value, args[1]?.())
  if (value.kind !== 'text' && method === 'lit') return written('1')
  if (value.kind !== 'text') throw new NotComposable(node, `the text of ${node.getText()} cannot be told`)
  if (method === 'raw') return written(value.text)
  if (method === 'lit') return written(`'${value.text.replaceAll("'", "''")}'`)
  return written(
    value.text
      .split('.')
      .map((name) => `"${name.replaceAll('"', '""')}"`)
      .join('.'),
  )
}

const written = (text: string): Sql => ({ kind: 'sql', parts: [text], template: null })

const join = (node: ts.CallExpression, list: Value, between: Value | undefined): Sql => {
  if (list.kind !== 'list') throw new NotComposable(node, `what ${node.getText()} joins cannot be told`)
  const separator = between?.kind === 'sql' ? between.parts : [', ']
  const items = list.items.map((item) =>
    item.kind === 'sql' ? item.parts : [{ isNullable: true, hasNullItems: true }],
  )
  return {
    kind: 'sql',
    parts: items.flatMap((parts, n) => (n === 0 ? parts : [...separator, ...parts])),
    template: null,
  }
}

const callObject = ({ project }: Composer, method: string, args: Args): Value | null => {
  const value = args[0]?.()
  if (!value) return null
  const properties =
    value.kind === 'object'
      ? [...value.properties]
      : value.kind === 'opaque'
        ? project.checker.getPropertiesOfType(value.type).map((property): [string, () => Value] => {
            return [property.name, () => ({ kind: 'opaque', type: project.checker.getTypeOfSymbol(property) })]
          })
        : []
  const text = (name: string): Value => ({ kind: 'text', text: name })
  if (method === 'keys') return { kind: 'list', items: properties.map(([name]) => text(name)) }
  if (method === 'values') return { kind: 'list', items: properties.map(([, item]) => item()) }
  if (method !== 'entries') return null
  return { kind: 'list', items: properties.map(([name, item]) => ({ kind: 'list', items: [text(name), item()] })) }
}

/** Of a list that is not known, two: enough for what stands between them to be seen. */
const callList = (
  composer: Composer,
  node: ts.CallExpression,
  method: string,
  list: Value,
  args: Args,
): Value | null => {
  const first = args[0]
  if (method === 'map' && first && (list.kind === 'list' || list.kind === 'opaque')) {
    const item = list.kind === 'list' ? null : elementOf(composer, list)
    const items = list.kind === 'list' ? list.items : item ? [item, item] : []
    const callback = first()
    return items.length === 0
      ? null
      : { kind: 'list', items: items.map((each) => composer.apply(callback, [() => each], node)) }
  }
  if (list.kind !== 'list') return null
  if (method === 'filter' || method === 'toSorted') return list
  if (method === 'includes') {
    const wanted = first?.()
    if (wanted?.kind !== 'text' || list.items.some(({ kind }) => kind !== 'text')) return null
    return { kind: 'boolean', is: list.items.some((item) => item.kind === 'text' && item.text === wanted.text) }
  }
  if (method === 'join') {
    const between = first ? first() : ({ kind: 'text', text: ',' } as const)
    const texts = list.items.map((item) => (item.kind === 'text' ? item.text : null))
    if (between.kind !== 'text' || texts.includes(null)) return null
    return { kind: 'text', text: texts.join(between.text) }
  }
  return null
}

const elementOf = ({ project }: Composer, { type }: { type: ts.Type }): Value | null => {
  const element = project.checker.getIndexTypeOfType(type, ts.IndexKind.Number)
  return element ? { kind: 'opaque', type: element } : null
}
