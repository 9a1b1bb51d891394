import ts from 'typescript-api'
import { evaluateCall, apply } from './calls.ts'
import { evaluateItems, propertyOf, evaluateElement, ofType } from './members.ts'
import { evaluateName } from './names.ts'
import type { Project } from '../project.ts'
import { composeSql, parameterOf, concatenate, evaluateObject } from './templates.ts'
import { evaluateBinary, isTrue } from './truth.ts'
import { isKyselySql } from '../types.ts'
import { type Composer, type Frame, NOTHING, type Value } from './values.ts'

/** Evaluates expressions of the source as far as the texts of its statements depend on them. */
export const openComposer = (project: Project): Composer => {
  const known = new WeakMap<Frame, Map<ts.Expression, Value>>()
  const composer: Composer = {
    project,
    // Within a frame an expression is one thing only, and conditions are asked about the same ones again and again.
    evaluate: (node, frame) => {
      const values = known.get(frame) ?? new Map<ts.Expression, Value>()
      known.set(frame, values)
      const value = values.get(node) ?? evaluate(composer, node, frame)
      values.set(node, value)
      return value
    },
    apply: (value, args, node) => apply(composer, value, args, node),
    opaque: (node) => ofType(project, project.checker.getTypeAtLocation(node)),
    parameterOf: (type) => parameterOf(project, type),
  }
  return composer
}

const evaluate = (composer: Composer, node: ts.Expression, frame: Frame): Value => {
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node)
  ) {
    return composer.evaluate(node.expression, frame)
  }
  if (ts.isTaggedTemplateExpression(node))
    return isKyselySql(composer.project, node.tag) ? composeSql(composer, node, frame) : composer.opaque(node)
  if (ts.isStringLiteralLike(node)) return { kind: 'text', text: node.text }
  if (ts.isTemplateExpression(node)) return concatenate(composer, node, frame)
  if (ts.isArrayLiteralExpression(node))
    return { kind: 'list', items: node.elements.flatMap((e) => evaluateItems(composer, e, frame)) }
  if (ts.isObjectLiteralExpression(node)) return evaluateObject(composer, node, frame)
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return { kind: 'function', node, frame }
  if (ts.isConditionalExpression(node)) {
    return composer.evaluate(isTrue(composer, node.condition, frame) ? node.whenTrue : node.whenFalse, frame)
  }
  if (ts.isIdentifier(node)) return evaluateName(composer, node, frame)
  if (ts.isPropertyAccessExpression(node))
    return propertyOf(composer, composer.evaluate(node.expression, frame), node.name.text, node)
  if (ts.isElementAccessExpression(node)) return evaluateElement(composer, node, frame)
  if (ts.isCallExpression(node)) return evaluateCall(composer, node, frame)
  if (ts.isBinaryExpression(node)) return evaluateBinary(composer, node, frame)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { kind: 'boolean', is: true }
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { kind: 'boolean', is: false }
  if (node.kind === ts.SyntaxKind.NullKeyword) return NOTHING
  return composer.opaque(node)
}
