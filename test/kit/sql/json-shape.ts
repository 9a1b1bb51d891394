import { type Node, isNode, nodesOf, numberOf, wordOf } from './node-tree.ts'
import { type Level, columnsOf, levelOf, neverNull } from './nullability.ts'

/** What a statement builds as JSON, as far as it says so itself. */
export type JsonShape =
  | { kind: 'object'; properties: ReadonlyMap<string, JsonValue> }
  | { kind: 'list'; item: JsonShape | null }
  | { kind: 'scalar'; is: 'string' | 'number' | 'boolean' }

export interface JsonValue {
  shape: JsonShape | null
  isNullable: boolean
}

export const jsonShapeOf = (node: Node, level: Level): JsonShape | null => {
  const { kind, fields } = node
  if (kind === 'COALESCEEXPR' || kind === 'COALESCE') return firstOf(nodesOf(fields.args), level)
  if (kind === 'FUNCEXPR') {
    const name = nameOf(fields.funcid, level)
    return /^jsonb?_build_object$/.test(name) ? objectOf(nodesOf(fields.args), level) : scalarOf(node)
  }
  if (kind === 'AGGREF') {
    if (!/^jsonb?_agg$/.test(nameOf(fields.aggfnoid, level))) return scalarOf(node)
    const argument = nodesOf(fields.args)[0]?.fields.expr
    return { kind: 'list', item: isNode(argument) ? jsonShapeOf(argument, level) : null }
  }
  if (kind === 'SUBLINK' && isNode(fields.subselect) && numberOf(fields.subLinkType) === 4) {
    const [target] = columnsOf(fields.subselect)
    const inner = levelOf(fields.subselect, level, level)
    return isNode(target?.fields.expr) && !isNode(fields.subselect.fields.setOperations)
      ? jsonShapeOf(target.fields.expr, inner)
      : null
  }
  return scalarOf(node)
}

const nameOf = (number: Node['fields'][string] | undefined, { catalogue }: Level) =>
  catalogue.functions.get(numberOf(number))?.name ?? ''

const firstOf = (nodes: Node[], level: Level) => {
  for (const each of nodes) {
    const shape = jsonShapeOf(each, level)
    if (shape) return shape
  }
  return null
}

const objectOf = (args: Node[], level: Level): JsonShape | null => {
  const properties = new Map<string, JsonValue>()
  for (let n = 0; n + 1 < args.length; n += 2) {
    const key = textOfConstant(args[n]!)
    if (key === null) return null
    const value = args[n + 1]!
    properties.set(key, { shape: jsonShapeOf(value, level), isNullable: !neverNull(value, level) })
  }
  return { kind: 'object', properties }
}

/** A constant is kept as bytes: a text's follow upon four that tell its length, those of a bare literal end with a zero. */
const textOfConstant = ({ kind, fields }: Node): string | null => {
  if (kind === 'RELABELTYPE' && isNode(fields.arg)) return textOfConstant(fields.arg)
  if (kind !== 'CONST' || !Array.isArray(fields.constvalue)) return null
  const bytes = Buffer.from(wordOf(fields.constvalue[1]).slice(1, -1).trim().split(/\s+/).map(Number))
  return (numberOf(fields.constlen) === -2 ? bytes.subarray(0, -1) : bytes.subarray(4)).toString()
}

const BOOLEAN = 16
const NUMBERS = new Set([20, 21, 23, 700, 701, 1700])
const TEXTS = new Set([25, 1043, 1042, 1082, 1184, 2950])
const BOOLEAN_KINDS = new Set(['NULLTEST', 'BOOLEXPR', 'BOOLEANTEST', 'DISTINCTEXPR', 'SCALARARRAYOPEXPR'])

const scalarOf = ({ kind, fields }: Node): JsonShape | null => {
  const type = BOOLEAN_KINDS.has(kind)
    ? BOOLEAN
    : numberOf(fields.vartype ?? fields.funcresulttype ?? fields.opresulttype ?? fields.consttype ?? fields.aggtype)
  if (type === BOOLEAN) return { kind: 'scalar', is: 'boolean' }
  if (NUMBERS.has(type)) return { kind: 'scalar', is: 'number' }
  return TEXTS.has(type) ? { kind: 'scalar', is: 'string' } : null
}
