import type ts from 'typescript-api'
import type { Choices } from '../choices.ts'
import type { Project } from '../project.ts'

/** What is known of an expression without running it. Whatever is opaque has at least a type. */
export type Value =
  | Sql
  | { kind: 'text'; text: string }
  | { kind: 'boolean'; is: boolean }
  | { kind: 'nothing' }
  | { kind: 'list'; items: readonly Value[] }
  | { kind: 'object'; properties: ReadonlyMap<string, () => Value> }
  | { kind: 'function'; node: ts.FunctionLikeDeclaration; frame: Frame }
  | { kind: 'opaque'; type: ts.Type }

export interface Sql {
  kind: 'sql'
  parts: readonly (string | Parameter)[]
  /** The template that it is, unless it was joined from several. */
  template: ts.TaggedTemplateExpression | null
}

export interface Parameter {
  isNullable: boolean
  /** Of a list. */
  hasNullItems: boolean
}

/** A function at work: what its parameters stand for. */
export interface Frame {
  run: Run
  parent: Frame | null
  node: ts.FunctionLikeDeclaration | null
  given: ReadonlyMap<ts.ParameterDeclaration, () => Value>
}

/** One way through all conditions. */
export interface Run {
  choices: Choices
  /** Functions that a statement stands in, each as one of its callers calls it. */
  entered: Map<ts.FunctionLikeDeclaration, Frame>
  templates: Set<ts.TaggedTemplateExpression>
}

export const NOTHING: Value = { kind: 'nothing' }

export const truthOf = (value: Value): boolean | null => {
  if (value.kind === 'boolean') return value.is
  if (value.kind === 'text') return value.text !== ''
  if (value.kind === 'opaque') return null
  return value.kind !== 'nothing'
}

/** The text as PostgreSQL gets it, and whether each of its parameters can be null. */
export const textOf = ({ parts }: Sql): { text: string; parameters: Parameter[] } => {
  const parameters: Parameter[] = []
  const text = parts.map((part) => (typeof part === 'string' ? part : `$${parameters.push(part)}`)).join('')
  return { text, parameters }
}

/** Why the text of a statement cannot be known without running its feature. */
export class NotComposable extends Error {
  readonly node: ts.Node

  constructor(node: ts.Node, reason: string) {
    super(reason)
    this.node = node
  }
}

export interface Composer {
  readonly project: Project
  evaluate(node: ts.Expression, frame: Frame): Value
  apply(value: Value, args: readonly (() => Value)[], call: ts.Node): Value
  opaque(node: ts.Node): Value
  parameterOf(type: ts.Type): Parameter
}

export const frameOf = (node: ts.FunctionLikeDeclaration, args: readonly (() => Value)[], parent: Frame): Frame => ({
  run: parent.run,
  parent,
  node,
  given: new Map(node.parameters.flatMap((each, n) => (args[n] ? [[each, args[n]] as const] : []))),
})
