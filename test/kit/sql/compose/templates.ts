import ts from 'typescript-api'
import { evaluateSymbol } from './names.ts'
import { nameOf } from './nodes.ts'
import type { Project } from '../project.ts'
import { isExpression, isNullable } from '../types.ts'
import { type Composer, type Frame, NotComposable, type Parameter, type Sql, type Value } from './values.ts'

/** The text of a tagged template, with a parameter for whatever is not SQL itself. */
export const composeSql = (composer: Composer, node: ts.TaggedTemplateExpression, frame: Frame): Sql => {
  frame.run.templates.add(node)
  const { template } = node
  if (ts.isNoSubstitutionTemplateLiteral(template)) return { kind: 'sql', parts: [template.text], template: node }
  const parts: Sql['parts'][number][] = [template.head.text]
  for (const { expression, literal } of template.templateSpans) {
    const value = composer.evaluate(expression, frame)
    if (value.kind === 'sql') parts.push(...value.parts)
    else if (isExpression(composer.project.checker.getTypeAtLocation(expression))) {
      throw new NotComposable(expression, `what stands for ${expression.getText()} cannot be told`)
    } else parts.push(composer.parameterOf(composer.project.checker.getTypeAtLocation(expression)))
    parts.push(literal.text)
  }
  return { kind: 'sql', parts, template: node }
}

export const parameterOf = ({ checker }: Project, type: ts.Type): Parameter => {
  const item = checker.getIndexTypeOfType(checker.getNonNullableType(type), ts.IndexKind.Number)
  return { isNullable: isNullable(type), hasNullItems: !item || isNullable(item) }
}

export const concatenate = (composer: Composer, node: ts.TemplateExpression, frame: Frame): Value => {
  const texts = node.templateSpans.map(({ expression, literal }) => {
    const value = composer.evaluate(expression, frame)
    return value.kind === 'text' ? value.text + literal.text : null
  })
  if (texts.includes(null)) return composer.opaque(node)
  return { kind: 'text', text: node.head.text + texts.join('') }
}

export const evaluateObject = (composer: Composer, node: ts.ObjectLiteralExpression, frame: Frame): Value => {
  const properties = new Map<string, () => Value>()
  for (const each of node.properties) {
    if (ts.isPropertyAssignment(each))
      properties.set(nameOf(each.name), () => composer.evaluate(each.initializer, frame))
    else if (ts.isShorthandPropertyAssignment(each)) {
      const symbol = composer.project.checker.getShorthandAssignmentValueSymbol(each)
      properties.set(each.name.text, () => evaluateSymbol(composer, symbol, each, frame))
    } else if (ts.isSpreadAssignment(each)) {
      const value = composer.evaluate(each.expression, frame)
      if (value.kind !== 'object') return composer.opaque(node)
      for (const [name, property] of value.properties) properties.set(name, property)
    } else if (ts.isMethodDeclaration(each)) {
      properties.set(nameOf(each.name), () => ({ kind: 'function', node: each, frame }))
    }
  }
  return { kind: 'object', properties }
}
