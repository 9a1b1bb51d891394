import ts from 'typescript-api'
import { callBuiltIn } from './built-ins.ts'
import { descendants } from '../project.ts'
import { isTrue } from './truth.ts'
import { type Composer, type Frame, NOTHING, type Value, frameOf } from './values.ts'

export const evaluateCall = (composer: Composer, node: ts.CallExpression, frame: Frame): Value => {
  const args = node.arguments.map((each) => () => composer.evaluate(each, frame))
  const builtIn = callBuiltIn(composer, node, frame, args)
  if (builtIn) return builtIn
  const callee = composer.evaluate(node.expression, frame)
  return apply(composer, callee, args, node)
}

export const apply = (composer: Composer, value: Value, args: readonly (() => Value)[], node: ts.Node): Value => {
  if (value.kind !== 'function') return composer.opaque(node)
  const { body } = value.node
  if (!body) return composer.opaque(node)
  const frame = frameOf(value.node, args, value.frame)
  if (!ts.isBlock(body)) return composer.evaluate(body, frame)
  return outcomeOf(composer, body.statements, frame) ?? composer.opaque(node)
}

/** What a function returns: its conditions are asked, and nothing else is done. */
const outcomeOf = (composer: Composer, statements: readonly ts.Statement[], frame: Frame): Value | null => {
  for (const each of statements) {
    if (ts.isReturnStatement(each)) return each.expression ? composer.evaluate(each.expression, frame) : NOTHING
    if (ts.isBlock(each)) {
      const outcome = outcomeOf(composer, each.statements, frame)
      if (outcome) return outcome
    }
    if (ts.isIfStatement(each) && descendants(each, ts.isReturnStatement).length > 0) {
      const way = isTrue(composer, each.expression, frame) ? each.thenStatement : each.elseStatement
      const outcome = way ? outcomeOf(composer, [way], frame) : null
      if (outcome) return outcome
    }
  }
  return null
}
