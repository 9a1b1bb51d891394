import { type Catalogue, neverNullOnValues } from './catalogue.ts'
import { type Field, type Node, isNode, nodesOf, numberOf, wordOf, wordsOf } from './node-tree.ts'
import { type Known, knownOf } from './conditions.ts'
import type { Parameter } from './compose/values.ts'

export interface Context {
  catalogue: Catalogue
  parameters: readonly Parameter[]
}

/** The query an expression stands in, and those around it. */
export interface Level extends Context {
  query: Node
  known: Known
  outer: Level | null
  /** Whether it is about rows as they were before the statement wrote them. */
  isBefore: boolean
}

const RTE = { relation: 0, subquery: 1, join: 2, function: 3, values: 5, cte: 6, group: 9 }
const DO_NOTHING = 1
const COMMAND = { update: 2, insert: 3 }
const SUBLINK = { exists: 0, expression: 4, array: 6 }
const ALWAYS_VALUES = new Set([
  'NULLTEST',
  'BOOLEANTEST',
  'DISTINCTEXPR',
  'ARRAYEXPR',
  'ROWEXPR',
  'SQLVALUEFUNCTION',
  'NEXTVALUEEXPR',
  'GROUPINGFUNC',
  'JSONCONSTRUCTOREXPR',
  'JSONISPREDICATE',
])
const AS_THEIR_ARGUMENT = new Set([
  'RELABELTYPE',
  'COERCEVIAIO',
  'ARRAYCOERCEEXPR',
  'COERCETODOMAIN',
  'CONVERTROWTYPEEXPR',
  'COLLATEEXPR',
])

/** Whether a column of a statement, as PostgreSQL parsed it, can be proven never to be null. */
export const isNeverNull = (query: Node, column: number, context: Context): boolean =>
  columnIsNeverNull(levelOf(query, context, null), column)

export const levelOf = (query: Node, { catalogue, parameters }: Context, outer: Level | null): Level => ({
  catalogue,
  parameters,
  query,
  known: knownOf(query, catalogue),
  outer,
  isBefore: false,
})

const columnIsNeverNull = (level: Level, column: number): boolean => {
  const { fields } = level.query
  if (nodesOf(fields.groupingSets).length > 0) return false
  if (isNode(fields.setOperations)) {
    return armsOf(fields.setOperations).every((arm) => {
      const entry = nodesOf(fields.rtable)[arm - 1]
      return isNode(entry?.fields.subquery) && columnIsNeverNull(levelOf(entry.fields.subquery, level, level), column)
    })
  }
  const target = columnsOf(level.query)[column - 1]
  return isNode(target?.fields.expr) && neverNull(target.fields.expr, level)
}

/** What a statement answers with, in its order. */
export const columnsOf = ({ fields }: Node): Node[] => {
  const isSelect = numberOf(fields.commandType) === 1
  return nodesOf(isSelect ? fields.targetList : fields.returningList).filter(
    ({ fields: { resjunk } }) => resjunk === 'false',
  )
}

const armsOf = (node: Node): number[] =>
  node.kind === 'RANGETBLREF'
    ? [numberOf(node.fields.rtindex)]
    : [node.fields.larg, node.fields.rarg].filter(isNode).flatMap(armsOf)

export const neverNull = (node: Node, level: Level): boolean => {
  const { kind, fields } = node
  const all = (list: Field | undefined) => nodesOf(list).every((each) => neverNull(each, level))
  if (ALWAYS_VALUES.has(kind)) return true
  if (AS_THEIR_ARGUMENT.has(kind)) return isNode(fields.arg) && neverNull(fields.arg, level)
  switch (kind) {
    case 'VAR':
      return varIsNeverNull(node, level)
    case 'CONST':
      return fields.constisnull === 'false'
    case 'PARAM':
      return level.parameters[numberOf(fields.paramid) - 1]?.isNullable === false
    case 'COALESCEEXPR':
    case 'MINMAXEXPR':
    case 'COALESCE':
    case 'MINMAX':
      return nodesOf(fields.args).some((each) => neverNull(each, level))
    case 'BOOLEXPR':
      return all(fields.args)
    case 'CASEEXPR':
    case 'CASE':
      return [...nodesOf(fields.args).map((when) => when.fields.result), fields.defresult].every(
        (result) => isNode(result) && neverNull(result, level),
      )
    case 'OPEXPR':
      return level.catalogue.totalOperators.has(numberOf(fields.opno)) && all(fields.args)
    case 'SCALARARRAYOPEXPR':
      return arrayComparisonIsNeverNull(nodesOf(fields.args), level)
    case 'FUNCEXPR':
      return callIsNeverNull(node, level)
    case 'AGGREF':
      return aggregateIsNeverNull(node, level)
    case 'WINDOWFUNC':
      return COUNTING.has(level.catalogue.functions.get(numberOf(fields.winfnoid))?.name ?? '')
    case 'SUBLINK':
      return subLinkIsNeverNull(node, level)
    default:
      return false
  }
}

const COUNTING = new Set(['count', 'row_number', 'rank', 'dense_rank', 'ntile'])

const callIsNeverNull = ({ fields }: Node, level: Level) => {
  const called = level.catalogue.functions.get(numberOf(fields.funcid))
  const args = nodesOf(fields.args)
  const isCast = numberOf(fields.funcformat) === 1 || numberOf(fields.funcformat) === 2
  const needed = called && (isCast ? args.length : neverNullOnValues(called, args.length))
  if (needed === null || needed === undefined) return false
  return args.slice(0, needed).every((each) => neverNull(each, level))
}

/** Over the rows of a group there is always one to take; over all rows there may be none. */
const aggregateIsNeverNull = ({ fields }: Node, level: Level) => {
  const name = level.catalogue.functions.get(numberOf(fields.aggfnoid))?.name ?? ''
  if (name === 'count') return true
  if (nodesOf(level.query.fields.groupClause).length === 0 || isNode(fields.aggfilter)) return false
  if (/^(array|jsonb?)_agg$|^jsonb?_object_agg$/.test(name)) return true
  return (
    /^(sum|min|max|avg|string_agg|bool_and|bool_or|every)$/.test(name) &&
    nodesOf(fields.args).every(({ fields: { expr } }) => isNode(expr) && neverNull(expr, level))
  )
}

const arrayComparisonIsNeverNull = ([item, list]: Node[], level: Level) => {
  if (!item || !list || !neverNull(item, level) || !neverNull(list, level)) return false
  if (list.kind === 'ARRAYEXPR') return nodesOf(list.fields.elements).every((each) => neverNull(each, level))
  return list.kind === 'PARAM' && level.parameters[numberOf(list.fields.paramid) - 1]?.hasNullItems === false
}

const subLinkIsNeverNull = ({ fields }: Node, level: Level) => {
  const type = numberOf(fields.subLinkType)
  if (type === SUBLINK.exists || type === SUBLINK.array) return true
  if (type !== SUBLINK.expression || !isNode(fields.subselect)) return false
  return hasOneRow(fields.subselect) && columnIsNeverNull(levelOf(fields.subselect, level, level), 1)
}

/** Aggregates over all rows are one row, and so is whatever reads nothing but such rows. */
const hasOneRow = ({ fields }: Node): boolean => {
  if (fields.hasTargetSRFs === 'true') return false
  if (isNode(fields.limitCount) || isNode(fields.limitOffset) || isNode(fields.havingQual)) return false
  if (nodesOf(fields.groupClause).length > 0 || isNode(fields.setOperations)) return false
  if (fields.hasAggs === 'true') return true
  const { fromlist, quals } = (fields.jointree as Node).fields
  if (isNode(quals)) return false
  return nodesOf(fromlist).every(({ kind, fields: { rtindex } }) => {
    const entry = kind === 'RANGETBLREF' ? nodesOf(fields.rtable)[numberOf(rtindex) - 1] : undefined
    return isNode(entry?.fields.subquery) && hasOneRow(entry.fields.subquery)
  })
}

const varIsNeverNull = (node: Node, given: Level): boolean => {
  const [relation, column] = [numberOf(node.fields.varno), numberOf(node.fields.varattno)]
  let level = given
  for (let up = numberOf(node.fields.varlevelsup); up > 0; up--) {
    if (level.known.columns.has(`${up}:${relation}.${column}`)) return true
    if (!level.outer) return false
    level = level.outer
  }
  const written = level.isBefore ? null : writtenTo(level, relation, column)
  if (written) return written.isNeverNull || isNotNull(level, relation, column)
  if (level.known.columns.has(`0:${relation}.${column}`)) return true
  const nulling = wordsOf(node.fields.varnullingrels)
  if (nulling.length > 0 && !level.known.joined.has(`0:${relation} by ${nulling.join()}`)) return false
  // The row itself, and the columns that every table has.
  if (column <= 0) return true
  const entry = nodesOf(level.query.fields.rtable)[relation - 1]
  return !!entry && entryIsNeverNull(entry, column, level)
}

const isNotNull = ({ query, catalogue }: Level, relation: number, column: number) =>
  catalogue.notNull.has(`${wordOf(nodesOf(query.fields.rtable)[relation - 1]?.fields.relid)}.${column}`)

const entryIsNeverNull = (entry: Node, column: number, level: Level): boolean => {
  const { fields } = entry
  switch (numberOf(fields.rtekind)) {
    case RTE.relation:
      return level.catalogue.notNull.has(`${wordOf(fields.relid)}.${column}`)
    case RTE.subquery:
      return isNode(fields.subquery) && columnIsNeverNull(levelOf(fields.subquery, level, level), column)
    case RTE.join:
      return isAlias(nodesOf(fields.joinaliasvars)[column - 1], level)
    case RTE.group:
      return isAlias(nodesOf(fields.groupexprs)[column - 1], level)
    case RTE.function:
      return functionIsNeverNull(entry, column, level)
    case RTE.values:
      return (fields.values_lists as Field[]).every((row) => {
        const value = nodesOf(row)[column - 1]
        return !!value && neverNull(value, level)
      })
    case RTE.cte:
      return stepIsNeverNull(entry, column, level)
    default:
      return false
  }
}

const isAlias = (node: Node | undefined, level: Level) => !!node && neverNull(node, level)

/** A column of a row that this very statement writes: what it holds then is what was written. */
const writtenTo = (level: Level, relation: number, column: number): { isNeverNull: boolean } | null => {
  const { commandType, resultRelation, targetList, onConflict } = level.query.fields
  const command = numberOf(commandType)
  if (numberOf(resultRelation) !== relation || (command !== COMMAND.update && command !== COMMAND.insert)) return null
  const target = nodesOf(targetList).find(({ fields }) => numberOf(fields.resno) === column)
  if (!target) return command === COMMAND.update ? null : { isNeverNull: false }
  const isOther = isNode(onConflict) && numberOf(onConflict.fields.action) !== DO_NOTHING
  const { expr } = target.fields
  return { isNeverNull: !isOther && isNode(expr) && neverNull(expr, { ...level, isBefore: true }) }
}

const functionIsNeverNull = ({ fields }: Node, column: number, level: Level): boolean => {
  const functions = nodesOf(fields.functions)
  const names = (fields.eref as Node).fields.colnames as Field[]
  if (fields.funcordinality === 'true' && column === names.length) return true
  // Of several side by side the shorter ones are filled up with nulls.
  const called = functions.length === 1 ? functions[0]?.fields.funcexpr : null
  if (!isNode(called)) return false
  if (called.kind !== 'FUNCEXPR') return neverNull(called, level)
  const name = level.catalogue.functions.get(numberOf(called.fields.funcid))?.name
  if (name === 'generate_series') return true
  const [list] = nodesOf(called.fields.args)
  if (name === 'unnest' && list?.kind === 'PARAM') {
    return level.parameters[numberOf(list.fields.paramid) - 1]?.hasNullItems === false
  }
  return names.length === 1 && callIsNeverNull(called, level)
}

const stepIsNeverNull = ({ fields }: Node, column: number, given: Level): boolean => {
  // What a recursive step takes from itself came from one of its arms, and those are looked at.
  if (fields.self_reference === 'true') return true
  let level: Level | null = given
  for (let up = numberOf(fields.ctelevelsup); up > 0 && level; up--) level = level.outer
  const step = nodesOf(level?.query.fields.cteList).find((each) => each.fields.ctename === fields.ctename)
  if (!level || !isNode(step?.fields.ctequery)) return false
  return columnIsNeverNull(levelOf(step.fields.ctequery, level, level), column)
}
