import ts from 'typescript-api'
import { keyOf } from './nodes.ts'
import { isBoolean, isExpression } from '../types.ts'
import { type Composer, type Frame, NotComposable, type Value, truthOf } from './values.ts'

export const evaluateBinary = (composer: Composer, node: ts.BinaryExpression, frame: Frame): Value => {
  const { kind } = node.operatorToken
  const [left, right] = [() => composer.evaluate(node.left, frame), () => composer.evaluate(node.right, frame)]
  if (kind === ts.SyntaxKind.QuestionQuestionToken) {
    const value = left()
    if (value.kind === 'nothing') return right()
    if (value.kind !== 'opaque' || !isExpression(composer.project.checker.getTypeAtLocation(node))) return value
    throw new NotComposable(node, `what stands for ${node.getText()} cannot be told`)
  }
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) {
    if (!isBoolean(composer.project.checker.getTypeAtLocation(node))) {
      return isTrue(composer, node.left, frame) === (kind === ts.SyntaxKind.AmpersandAmpersandToken) ? right() : left()
    }
  }
  if (kind === ts.SyntaxKind.PlusToken) {
    const [before, after] = [left(), right()]
    if (before.kind === 'text' && after.kind === 'text') return { kind: 'text', text: before.text + after.text }
  }
  return composer.opaque(node)
}

/** Whether a condition holds; what cannot be told without running it is tried both ways. */
export const isTrue = (composer: Composer, node: ts.Expression, frame: Frame): boolean => {
  if (ts.isParenthesizedExpression(node)) return isTrue(composer, node.expression, frame)
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return !isTrue(composer, node.operand, frame)
  }
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return isTrue(composer, node.left, frame) && isTrue(composer, node.right, frame)
    if (kind === ts.SyntaxKind.BarBarToken)
      return isTrue(composer, node.left, frame) || isTrue(composer, node.right, frame)
    if (kind === ts.SyntaxKind.EqualsEqualsEqualsToken) return isSame(composer, node, frame)
    if (kind === ts.SyntaxKind.ExclamationEqualsEqualsToken) return !isSame(composer, node, frame)
  }
  return truthOf(composer.evaluate(node, frame)) ?? either(node.getText(), node, frame)
}

const isSame = (composer: Composer, node: ts.BinaryExpression, frame: Frame): boolean => {
  const [left, right] = [composer.evaluate(node.left, frame), composer.evaluate(node.right, frame)]
  if (left.kind === 'text' && right.kind === 'text') return left.text === right.text
  if (left.kind === 'boolean' && right.kind === 'boolean') return left.is === right.is
  if (left.kind !== 'opaque' && right.kind !== 'opaque') return left.kind === 'nothing' && right.kind === 'nothing'
  return either(`${node.left.getText()} === ${node.right.getText()}`, node, frame)
}

const either = (question: string, node: ts.Node, { run }: Frame) => run.choices.choose(keyOf(question, node), 2) === 0
