import type { Catalogue } from './catalogue.ts'
import { type Field, type Node, isNode, nodesOf, numberOf, wordOf, wordsOf } from './node-tree.ts'

/** What a query's own conditions leave no null in. */
export interface Known {
  /** Columns, as `level:relation.column`; those of the query itself are of the level 0. */
  columns: ReadonlySet<string>
  /** Relations that an outer join did find rows of, as `level:relation by joins`. */
  joined: ReadonlySet<string>
}

/** A row for which a strict condition on a column holds has a value there. */
export const knownOf = (query: Node, catalogue: Catalogue): Known => {
  const vars = isNode(query.fields.jointree) ? inJoins(query.fields.jointree, catalogue) : new Map<string, string>()
  return { columns: new Set(vars.keys()), joined: new Set(vars.values()) }
}

type Vars = Map<string, string>

const inJoins = (node: Node, catalogue: Catalogue): Vars => {
  const { kind, fields } = node
  const both = (...parts: Vars[]): Vars => new Map(parts.flatMap((part) => [...part]))
  const held = isNode(fields.quals) ? inCondition(fields.quals, catalogue) : new Map<string, string>()
  if (kind === 'FROMEXPR') return both(held, ...nodesOf(fields.fromlist).map((each) => inJoins(each, catalogue)))
  if (kind !== 'JOINEXPR') return new Map()
  const [left, right] = [fields.larg, fields.rarg].map((side) => {
    return isNode(side) ? inJoins(side, catalogue) : new Map<string, string>()
  })
  const type = numberOf(fields.jointype)
  if (type === 0) return both(held, left!, right!)
  return type === 1 ? left! : new Map()
}

const inCondition = (node: Node, catalogue: Catalogue): Vars => {
  const { kind, fields } = node
  if (kind === 'NULLTEST') return numberOf(fields.nulltesttype) === 1 ? inValue(fields.arg, catalogue) : new Map()
  if (kind !== 'BOOLEXPR') return inValue(node, catalogue)
  const parts = nodesOf(fields.args).map((each) =>
    fields.boolop === 'not' ? inValue(each, catalogue) : inCondition(each, catalogue),
  )
  if (fields.boolop !== 'or') return new Map(parts.flatMap((part) => [...part]))
  const [first, ...others] = parts
  return new Map([...(first ?? [])].filter(([key]) => others.every((other) => other.has(key))))
}

/** The columns without which there is no value. */
const inValue = (node: Field | undefined, catalogue: Catalogue): Vars => {
  if (!isNode(node)) return new Map()
  const { kind, fields } = node
  if (kind === 'VAR') {
    const [level, relation] = [wordOf(fields.varlevelsup), wordOf(fields.varno)]
    const nulling = wordsOf(fields.varnullingrels).join()
    return new Map([[`${level}:${relation}.${wordOf(fields.varattno)}`, `${level}:${relation} by ${nulling}`]])
  }
  if (kind === 'RELABELTYPE' || kind === 'COERCEVIAIO') return inValue(fields.arg, catalogue)
  if (kind === 'SCALARARRAYOPEXPR') return inValue(nodesOf(fields.args)[0], catalogue)
  const called = kind === 'OPEXPR' ? fields.opfuncid : kind === 'FUNCEXPR' ? fields.funcid : null
  if (!called || !catalogue.functions.get(numberOf(called))?.isStrict) return new Map()
  return new Map(nodesOf(fields.args).flatMap((each) => [...inValue(each, catalogue)]))
}
