import ts from 'typescript-api'
import { evaluateItems, propertyOf, itemOf } from './members.ts'
import { keyOf, functionAround, nameOf } from './nodes.ts'
import { evaluateParameter } from './parameters.ts'
import { descendants } from '../project.ts'
import { isTrue } from './truth.ts'
import { isExpression } from '../types.ts'
import { type Composer, type Frame, NOTHING, type Value } from './values.ts'

export const evaluateName = (composer: Composer, node: ts.Identifier, frame: Frame): Value =>
  node.text === 'undefined' ? NOTHING : evaluateSymbol(composer, composer.project.symbolOf(node), node, frame)

export const evaluateSymbol = (
  composer: Composer,
  symbol: ts.Symbol | undefined,
  node: ts.Node,
  frame: Frame,
): Value => {
  const declaration = symbol?.valueDeclaration
  if (!declaration) return composer.opaque(node)
  if (ts.isVariableDeclaration(declaration)) return evaluateVariable(composer, declaration, node, frame)
  if (ts.isBindingElement(declaration)) return evaluateBinding(composer, declaration, node, frame)
  if (ts.isParameter(declaration)) return evaluateParameter(composer, declaration, node, frame)
  if (ts.isFunctionDeclaration(declaration)) return { kind: 'function', node: declaration, frame }
  return composer.opaque(node)
}

const evaluateVariable = (
  composer: Composer,
  declaration: ts.VariableDeclaration,
  node: ts.Node,
  frame: Frame,
): Value => {
  if (!declaration.initializer) return evaluateLoopVariable(composer, declaration, node, frame)
  if (!(declaration.parent.flags & ts.NodeFlags.Const)) return composer.opaque(node)
  const value = composer.evaluate(declaration.initializer, frame)
  if (value.kind !== 'list' || !ts.isIdentifier(declaration.name)) return value
  return { kind: 'list', items: [...value.items, ...pushedTo(composer, declaration, frame)] }
}

/** The variable of a loop: any of what is looped over. */
const evaluateLoopVariable = (
  composer: Composer,
  declaration: ts.VariableDeclaration,
  node: ts.Node,
  frame: Frame,
): Value => {
  const loop = declaration.parent.parent
  if (!ts.isForOfStatement(loop)) return composer.opaque(node)
  const list = composer.evaluate(loop.expression, frame)
  if (list.kind !== 'list' || list.items.length === 0) return composer.opaque(node)
  return list.items[frame.run.choices.choose(keyOf(`each of ${declaration.pos}`, declaration), list.items.length)]!
}

/** What is pushed to a list after its declaration, on the way that this run takes. */
const pushedTo = (composer: Composer, declaration: ts.VariableDeclaration, frame: Frame): Value[] => {
  const symbol = composer.project.symbolOf(declaration.name)
  const home = functionAround(declaration) ?? declaration.getSourceFile()
  return descendants(home, ts.isCallExpression)
    .filter(({ expression: callee }) => {
      return (
        ts.isPropertyAccessExpression(callee) &&
        callee.name.text === 'push' &&
        composer.project.symbolOf(callee.expression) === symbol
      )
    })
    .filter((push) => isReached(composer, push, home, frame))
    .flatMap((push) => push.arguments.flatMap((each) => evaluateItems(composer, each, frame)))
}

const isReached = (composer: Composer, node: ts.Node, home: ts.Node, frame: Frame): boolean => {
  for (let [child, parent] = [node, node.parent]; child !== home; [child, parent] = [parent, parent.parent]) {
    if (!ts.isIfStatement(parent) || child === parent.expression) continue
    if (isTrue(composer, parent.expression, frame) !== (child === parent.thenStatement)) return false
  }
  return true
}

const evaluateBinding = (composer: Composer, element: ts.BindingElement, node: ts.Node, frame: Frame): Value => {
  const pattern = element.parent
  const owner = pattern.parent
  const whole = ts.isBindingElement(owner)
    ? evaluateBinding(composer, owner, owner, frame)
    : ts.isParameter(owner)
      ? evaluateParameter(composer, owner, owner, frame)
      : evaluateVariable(composer, owner, owner, frame)
  const value = ts.isArrayBindingPattern(pattern)
    ? itemOf(composer, whole, pattern.elements.indexOf(element), node)
    : element.dotDotDotToken
      ? composer.opaque(node)
      : propertyOf(composer, whole, nameOf(element.propertyName ?? element.name), node)
  if (!element.initializer || (value.kind !== 'nothing' && value.kind !== 'opaque')) return value
  if (value.kind === 'nothing') return composer.evaluate(element.initializer, frame)
  return isExpression(composer.project.checker.getTypeAtLocation(node))
    ? composer.evaluate(element.initializer, frame)
    : value
}
