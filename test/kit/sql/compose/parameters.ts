import ts from 'typescript-api'
import { keyOf } from './nodes.ts'
import { isExpression, isText } from '../types.ts'
import { type Composer, type Frame, NOTHING, type Value, frameOf } from './values.ts'

export const evaluateParameter = (
  composer: Composer,
  declaration: ts.ParameterDeclaration,
  node: ts.Node,
  frame: Frame,
): Value => {
  const owner = declaration.parent as ts.FunctionLikeDeclaration
  let home: Frame | null = frame
  while (home && home.node !== owner) home = home.parent
  const known = home ?? enter(composer, owner, frame)
  if (!known) return composer.opaque(node)
  const value = known.given.get(declaration)?.() ?? (home || known.given.size > 0 ? NOTHING : composer.opaque(node))
  return value.kind === 'nothing' && declaration.initializer ? composer.evaluate(declaration.initializer, known) : value
}

/** A statement inside a function is what each of its callers makes of it, one after the other. */
const enter = (composer: Composer, owner: ts.FunctionLikeDeclaration, { run }: Frame): Frame | null => {
  const known = run.entered.get(owner)
  if (known) return known
  const name = owner.name ?? (ts.isVariableDeclaration(owner.parent) ? owner.parent.name : undefined)
  const symbol = name && composer.project.symbolOf(name)
  const calls = symbol ? composer.project.callsOf(symbol) : []
  const base: Frame = { run, parent: null, node: null, given: new Map() }
  if (calls.length === 0 || !owner.parameters.some((each) => matters(composer, each))) return null
  const caller = calls[run.choices.choose(keyOf(`caller of ${owner.pos}`, owner), calls.length)]!
  const frame = frameOf(
    owner,
    caller.arguments.map((each) => () => composer.evaluate(each, base)),
    base,
  )
  run.entered.set(owner, frame)
  return frame
}

/** Whether a parameter can become part of a text: SQL, text, or something that holds them. */
const matters = (composer: Composer, declaration: ts.ParameterDeclaration) => {
  const type = composer.project.checker.getTypeAtLocation(declaration)
  const parts = [
    type,
    ...type.getProperties().map((each) => composer.project.checker.getTypeOfSymbolAtLocation(each, declaration)),
  ]
  return parts.some((part) => isExpression(part)) || isText(type) || !!(type.flags & ts.TypeFlags.TypeParameter)
}
