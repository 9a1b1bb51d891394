import ts from 'typescript-api'
import { isCommand } from './commands.ts'
import { Choices } from './choices.ts'
import { openComposer } from './compose/composer.ts'
import { isExpression, isKyselySql } from './types.ts'
import { type Project, descendants } from './project.ts'
import { type Frame, NotComposable, type Parameter, type Sql, type Value, textOf } from './compose/values.ts'

/** One text that the source sends to PostgreSQL, and the row it says to get for it. */
export interface Statement {
  /** Where it stands: file and line. */
  place: string
  text: string
  parameters: Parameter[]
  row: ts.Type | null
  node: ts.Node
  /** Whether its rows are read as any, which no compiler looks into. */
  isUnchecked: boolean
  /** Whose parsers read the answer: those of Foyer, or any that pg may have. */
  isThroughPool: boolean
}

export interface Statements {
  found: Statement[]
  /** What could not be put together, each with its reason. */
  faults: { place: string; code: string; reason: string }[]
}

interface Send {
  call: ts.CallExpression
  compose(frame: Frame): Sql
  row(sql: Sql): ts.Type | null
  /** Of a text that numbers them itself. */
  parameters: Parameter[]
  isUnchecked: boolean
  isThroughPool: boolean
}

/** Every statement of the source in every way its conditions can put it together, without running anything. */
export const findStatements = (project: Project): Statements => {
  const reached = new Set<ts.TaggedTemplateExpression>()
  const texts = new Map<string, Statement>()
  const faults: Statements['faults'] = []

  for (const send of project.files.flatMap((file) => findSends(project, file))) {
    if (isWrittenCommand(send.call)) continue
    try {
      for (const { sql, templates } of composeAll(send)) {
        for (const template of templates) reached.add(template)
        const { text, parameters } = textOf(sql)
        const node = sql.template ?? send.call
        const place = project.placeOf(node)
        const { isThroughPool, isUnchecked } = send
        const all = [...parameters, ...send.parameters]
        const row = send.row(sql)
        texts.set(`${place} ${text}`, { place, text, parameters: all, row, node, isThroughPool, isUnchecked })
      }
    } catch (error) {
      const node = error instanceof NotComposable ? error.node : send.call
      faults.push({ place: project.placeOf(node), code: shorten(send.call), reason: (error as Error).message })
    }
  }
  for (const file of project.files) {
    for (const template of descendants(file, ts.isTaggedTemplateExpression)) {
      const place = project.placeOf(template)
      if (!isKyselySql(project, template.tag) || reached.has(template)) continue
      if (faults.some((fault) => fault.place === place)) continue
      faults.push({ place, code: shorten(template), reason: 'no statement is made of it' })
    }
  }
  return { found: [...texts.values()], faults }
}

const composeAll = (send: Send) =>
  Choices.each((choices) => {
    const run = { choices, entered: new Map(), templates: new Set<ts.TaggedTemplateExpression>() }
    const sql = send.compose({ run, parent: null, node: null, given: new Map() })
    return { sql, templates: run.templates }
  })

/** Where the source hands something to the database: Kysely's raw statements, and whatever pg is asked directly. */
const findSends = (project: Project, file: ts.SourceFile): Send[] => {
  const { checker } = project
  const composer = openComposer(project)

  const ofKysely = (call: ts.CallExpression, receiver: ts.Expression): Send => ({
    call,
    isThroughPool: true,
    isUnchecked: false,
    parameters: [],
    compose: (frame) => {
      const value = composer.evaluate(receiver, frame)
      if (value.kind !== 'sql') throw new NotComposable(receiver, 'its text cannot be told')
      return value
    },
    row: ({ template }) => (template ? rowOfTemplate(checker, template) : null),
  })

  const ofPg = (call: ts.CallExpression, receiver: ts.Expression): Send => ({
    call,
    isUnchecked: !call.typeArguments && !isDiscarded(call),
    isThroughPool: checker.getTypeAtLocation(receiver).symbol?.name === 'Pool',
    compose: (frame) => {
      const given: Value = composer.evaluate(call.arguments[0]!, frame)
      const value = given.kind === 'object' ? given.properties.get('text')?.() : given
      if (value?.kind !== 'text') throw new NotComposable(call, 'its text cannot be told')
      return { kind: 'sql', parts: [value.text], template: null }
    },
    parameters: valuesOf(call).map((each) => composer.parameterOf(checker.getTypeAtLocation(each))),
    row: () => (call.typeArguments?.[0] ? checker.getTypeFromTypeNode(call.typeArguments[0]) : null),
  })

  return descendants(file, ts.isCallExpression).flatMap((call) => {
    const callee = call.expression
    if (!ts.isPropertyAccessExpression(callee)) return []
    const method = callee.name.text
    if (method === 'execute' || method === 'compile') {
      const type = checker.getTypeAtLocation(callee.expression)
      return isExpression(type) && type.symbol?.name === 'RawBuilder' ? [ofKysely(call, callee.expression)] : []
    }
    const declaration = method === 'query' ? checker.getResolvedSignature(call)?.declaration : undefined
    return declaration?.getSourceFile().fileName.includes('/@types/pg/') ? [ofPg(call, callee.expression)] : []
  })
}

/** What pg is given beside the text, as far as it is written out there. */
const valuesOf = ({ arguments: [first, second] }: ts.CallExpression): readonly ts.Expression[] => {
  const property =
    first && ts.isObjectLiteralExpression(first)
      ? first.properties.find((each) => each.name?.getText() === 'values')
      : undefined
  const values = property && ts.isPropertyAssignment(property) ? property.initializer : second
  return values && ts.isArrayLiteralExpression(values) ? values.elements : []
}

const rowOfTemplate = (checker: ts.TypeChecker, template: ts.TaggedTemplateExpression): ts.Type | null => {
  const [row] = checker.getTypeArguments(checker.getTypeAtLocation(template) as ts.TypeReference)
  return !row || row.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any) ? null : row
}

const isDiscarded = ({ parent }: ts.Expression): boolean =>
  ts.isAwaitExpression(parent) ? isDiscarded(parent) : ts.isExpressionStatement(parent)

/** A command is known by its first word, whatever name it is given behind that. */
const isWrittenCommand = ({ arguments: [first] }: ts.CallExpression) =>
  !!first && ts.isTemplateExpression(first) && isCommand(first.head.text)

const CODE_MAX = 80

const shorten = (node: ts.Node) => node.getText().replaceAll(/\s+/g, ' ').slice(0, CODE_MAX)
