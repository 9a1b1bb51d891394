import ts from 'typescript-api'
import { callBuiltIn } from './built-ins.ts'
import { type Project, descendants } from './project.ts'
import { isBoolean, isExpression, isKyselySql, isNullable, isText } from './types.ts'
import {
  type Composer,
  type Frame,
  NOTHING,
  NotComposable,
  type Parameter,
  type Sql,
  type Value,
  truthOf,
} from './values.ts'

/** Evaluates expressions of the source as far as the texts of its statements depend on them. */
export const openComposer = (project: Project): Composer => {
  const { checker, symbolOf } = project

  const opaque = (node: ts.Node): Value => ofType(checker.getTypeAtLocation(node))

  const evaluate = (node: ts.Expression, frame: Frame): Value => {
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node)
    ) {
      return evaluate(node.expression, frame)
    }
    if (ts.isTaggedTemplateExpression(node)) return isKyselySql(project, node.tag) ? compose(node, frame) : opaque(node)
    if (ts.isStringLiteralLike(node)) return { kind: 'text', text: node.text }
    if (ts.isTemplateExpression(node)) return concatenate(node, frame)
    if (ts.isArrayLiteralExpression(node))
      return { kind: 'list', items: node.elements.flatMap((e) => spread(e, frame)) }
    if (ts.isObjectLiteralExpression(node)) return objectOf(node, frame)
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return { kind: 'function', node, frame }
    if (ts.isConditionalExpression(node)) {
      return evaluate(isTrue(node.condition, frame) ? node.whenTrue : node.whenFalse, frame)
    }
    if (ts.isIdentifier(node)) return named(node, frame)
    if (ts.isPropertyAccessExpression(node)) return propertyOf(evaluate(node.expression, frame), node.name.text, node)
    if (ts.isElementAccessExpression(node)) return elementOf(node, frame)
    if (ts.isCallExpression(node)) return call(node, frame)
    if (ts.isBinaryExpression(node)) return binary(node, frame)
    if (node.kind === ts.SyntaxKind.TrueKeyword) return { kind: 'boolean', is: true }
    if (node.kind === ts.SyntaxKind.FalseKeyword) return { kind: 'boolean', is: false }
    if (node.kind === ts.SyntaxKind.NullKeyword) return NOTHING
    return opaque(node)
  }

  const compose = (node: ts.TaggedTemplateExpression, frame: Frame): Sql => {
    frame.run.templates.add(node)
    const { template } = node
    if (ts.isNoSubstitutionTemplateLiteral(template)) return { kind: 'sql', parts: [template.text], template: node }
    const parts: Sql['parts'][number][] = [template.head.text]
    for (const { expression, literal } of template.templateSpans) {
      const value = evaluate(expression, frame)
      if (value.kind === 'sql') parts.push(...value.parts)
      else if (isExpression(checker.getTypeAtLocation(expression))) {
        throw new NotComposable(expression, `what stands for ${expression.getText()} cannot be told`)
      } else parts.push(parameterOf(checker.getTypeAtLocation(expression)))
      parts.push(literal.text)
    }
    return { kind: 'sql', parts, template: node }
  }

  const parameterOf = (type: ts.Type): Parameter => {
    const item = checker.getIndexTypeOfType(checker.getNonNullableType(type), ts.IndexKind.Number)
    return { isNullable: isNullable(type), hasNullItems: !item || isNullable(item) }
  }

  const concatenate = (node: ts.TemplateExpression, frame: Frame): Value => {
    const texts = node.templateSpans.map(({ expression, literal }) => {
      const value = evaluate(expression, frame)
      return value.kind === 'text' ? value.text + literal.text : null
    })
    if (texts.includes(null)) return opaque(node)
    return { kind: 'text', text: node.head.text + texts.join('') }
  }

  const spread = (node: ts.Expression, frame: Frame): readonly Value[] => {
    if (!ts.isSpreadElement(node)) return [evaluate(node, frame)]
    const value = evaluate(node.expression, frame)
    return value.kind === 'list' ? value.items : [opaque(node)]
  }

  const objectOf = (node: ts.ObjectLiteralExpression, frame: Frame): Value => {
    const properties = new Map<string, () => Value>()
    for (const each of node.properties) {
      if (ts.isPropertyAssignment(each)) properties.set(nameOf(each.name), () => evaluate(each.initializer, frame))
      else if (ts.isShorthandPropertyAssignment(each)) {
        const symbol = checker.getShorthandAssignmentValueSymbol(each)
        properties.set(each.name.text, () => declared(symbol, each, frame))
      } else if (ts.isSpreadAssignment(each)) {
        const value = evaluate(each.expression, frame)
        if (value.kind !== 'object') return opaque(node)
        for (const [name, property] of value.properties) properties.set(name, property)
      } else if (ts.isMethodDeclaration(each)) {
        properties.set(nameOf(each.name), () => ({ kind: 'function', node: each, frame }))
      }
    }
    return { kind: 'object', properties }
  }

  const binary = (node: ts.BinaryExpression, frame: Frame): Value => {
    const { kind } = node.operatorToken
    const [left, right] = [() => evaluate(node.left, frame), () => evaluate(node.right, frame)]
    if (kind === ts.SyntaxKind.QuestionQuestionToken) {
      const value = left()
      if (value.kind === 'nothing') return right()
      if (value.kind !== 'opaque' || !isExpression(checker.getTypeAtLocation(node))) return value
      throw new NotComposable(node, `what stands for ${node.getText()} cannot be told`)
    }
    if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) {
      if (!isBoolean(checker.getTypeAtLocation(node))) {
        return isTrue(node.left, frame) === (kind === ts.SyntaxKind.AmpersandAmpersandToken) ? right() : left()
      }
    }
    if (kind === ts.SyntaxKind.PlusToken) {
      const [before, after] = [left(), right()]
      if (before.kind === 'text' && after.kind === 'text') return { kind: 'text', text: before.text + after.text }
    }
    return opaque(node)
  }

  const isTrue = (node: ts.Expression, frame: Frame): boolean => {
    if (ts.isParenthesizedExpression(node)) return isTrue(node.expression, frame)
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      return !isTrue(node.operand, frame)
    }
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken
      if (kind === ts.SyntaxKind.AmpersandAmpersandToken) return isTrue(node.left, frame) && isTrue(node.right, frame)
      if (kind === ts.SyntaxKind.BarBarToken) return isTrue(node.left, frame) || isTrue(node.right, frame)
      if (kind === ts.SyntaxKind.EqualsEqualsEqualsToken) return isSame(node, frame)
      if (kind === ts.SyntaxKind.ExclamationEqualsEqualsToken) return !isSame(node, frame)
    }
    return truthOf(evaluate(node, frame)) ?? either(node.getText(), node, frame)
  }

  const isSame = (node: ts.BinaryExpression, frame: Frame): boolean => {
    const [left, right] = [evaluate(node.left, frame), evaluate(node.right, frame)]
    if (left.kind === 'text' && right.kind === 'text') return left.text === right.text
    if (left.kind === 'boolean' && right.kind === 'boolean') return left.is === right.is
    if (left.kind !== 'opaque' && right.kind !== 'opaque') return left.kind === 'nothing' && right.kind === 'nothing'
    return either(`${node.left.getText()} === ${node.right.getText()}`, node, frame)
  }

  const either = (question: string, node: ts.Node, { run }: Frame) => run.choices.choose(keyOf(question, node), 2) === 0

  const named = (node: ts.Identifier, frame: Frame): Value =>
    node.text === 'undefined' ? NOTHING : declared(symbolOf(node), node, frame)

  const declared = (symbol: ts.Symbol | undefined, node: ts.Node, frame: Frame): Value => {
    const declaration = symbol?.valueDeclaration
    if (!declaration) return opaque(node)
    if (ts.isVariableDeclaration(declaration)) return variable(declaration, node, frame)
    if (ts.isBindingElement(declaration)) return bound(declaration, node, frame)
    if (ts.isParameter(declaration)) return parameter(declaration, node, frame)
    if (ts.isFunctionDeclaration(declaration)) return { kind: 'function', node: declaration, frame }
    return opaque(node)
  }

  const variable = (declaration: ts.VariableDeclaration, node: ts.Node, frame: Frame): Value => {
    if (!declaration.initializer) return eachOf(declaration, node, frame)
    if (!(declaration.parent.flags & ts.NodeFlags.Const)) return opaque(node)
    const value = evaluate(declaration.initializer, frame)
    if (value.kind !== 'list' || !ts.isIdentifier(declaration.name)) return value
    return { kind: 'list', items: [...value.items, ...pushedTo(declaration, frame)] }
  }

  /** The variable of a loop: any of what is looped over. */
  const eachOf = (declaration: ts.VariableDeclaration, node: ts.Node, frame: Frame): Value => {
    const loop = declaration.parent.parent
    if (!ts.isForOfStatement(loop)) return opaque(node)
    const list = evaluate(loop.expression, frame)
    if (list.kind !== 'list' || list.items.length === 0) return opaque(node)
    return list.items[frame.run.choices.choose(keyOf(`each of ${declaration.pos}`, declaration), list.items.length)]!
  }

  const pushedTo = (declaration: ts.VariableDeclaration, frame: Frame): Value[] => {
    const symbol = symbolOf(declaration.name)
    const home = functionAround(declaration) ?? declaration.getSourceFile()
    return descendants(home, ts.isCallExpression)
      .filter(({ expression: callee }) => {
        return (
          ts.isPropertyAccessExpression(callee) && callee.name.text === 'push' && symbolOf(callee.expression) === symbol
        )
      })
      .filter((push) => isReached(push, home, frame))
      .flatMap((push) => push.arguments.flatMap((each) => spread(each, frame)))
  }

  const isReached = (node: ts.Node, home: ts.Node, frame: Frame): boolean => {
    for (let [child, parent] = [node, node.parent]; child !== home; [child, parent] = [parent, parent.parent]) {
      if (!ts.isIfStatement(parent) || child === parent.expression) continue
      if (isTrue(parent.expression, frame) !== (child === parent.thenStatement)) return false
    }
    return true
  }

  const bound = (element: ts.BindingElement, node: ts.Node, frame: Frame): Value => {
    const pattern = element.parent
    const owner = pattern.parent
    const whole = ts.isBindingElement(owner)
      ? bound(owner, owner, frame)
      : ts.isParameter(owner)
        ? parameter(owner, owner, frame)
        : variable(owner, owner, frame)
    const value = ts.isArrayBindingPattern(pattern)
      ? itemOf(whole, pattern.elements.indexOf(element), node)
      : element.dotDotDotToken
        ? opaque(node)
        : propertyOf(whole, nameOf(element.propertyName ?? element.name), node)
    if (!element.initializer || (value.kind !== 'nothing' && value.kind !== 'opaque')) return value
    if (value.kind === 'nothing') return evaluate(element.initializer, frame)
    return isExpression(checker.getTypeAtLocation(node)) ? evaluate(element.initializer, frame) : value
  }

  const parameter = (declaration: ts.ParameterDeclaration, node: ts.Node, frame: Frame): Value => {
    const owner = declaration.parent as ts.FunctionLikeDeclaration
    let home: Frame | null = frame
    while (home && home.node !== owner) home = home.parent
    const known = home ?? enter(owner, frame)
    if (!known) return opaque(node)
    const value = known.given.get(declaration)?.() ?? (home || known.given.size > 0 ? NOTHING : opaque(node))
    return value.kind === 'nothing' && declaration.initializer ? evaluate(declaration.initializer, known) : value
  }

  /** A statement inside a function is what each of its callers makes of it, one after the other. */
  const enter = (owner: ts.FunctionLikeDeclaration, { run }: Frame): Frame | null => {
    const known = run.entered.get(owner)
    if (known) return known
    const name = owner.name ?? (ts.isVariableDeclaration(owner.parent) ? owner.parent.name : undefined)
    const symbol = name && symbolOf(name)
    const calls = symbol ? project.callsOf(symbol) : []
    const base: Frame = { run, parent: null, node: null, given: new Map() }
    if (calls.length === 0 || !owner.parameters.some((each) => matters(each))) return null
    const caller = calls[run.choices.choose(keyOf(`caller of ${owner.pos}`, owner), calls.length)]!
    const frame = frameOf(
      owner,
      caller.arguments.map((each) => () => evaluate(each, base)),
      base,
    )
    run.entered.set(owner, frame)
    return frame
  }

  /** Whether a parameter can become part of a text: SQL, text, or something that holds them. */
  const matters = (declaration: ts.ParameterDeclaration) => {
    const type = checker.getTypeAtLocation(declaration)
    const parts = [type, ...type.getProperties().map((each) => checker.getTypeOfSymbolAtLocation(each, declaration))]
    return parts.some((part) => isExpression(part)) || isText(type) || !!(type.flags & ts.TypeFlags.TypeParameter)
  }

  const frameOf = (node: ts.FunctionLikeDeclaration, args: readonly (() => Value)[], parent: Frame): Frame => ({
    run: parent.run,
    parent,
    node,
    given: new Map(node.parameters.flatMap((each, n) => (args[n] ? [[each, args[n]] as const] : []))),
  })

  const call = (node: ts.CallExpression, frame: Frame): Value => {
    const args = node.arguments.map((each) => () => evaluate(each, frame))
    const builtIn = callBuiltIn(composer, node, frame, args)
    if (builtIn) return builtIn
    const callee = evaluate(node.expression, frame)
    return apply(callee, args, node)
  }

  const apply = (value: Value, args: readonly (() => Value)[], node: ts.Node): Value => {
    if (value.kind !== 'function') return opaque(node)
    const { body } = value.node
    if (!body) return opaque(node)
    const frame = frameOf(value.node, args, value.frame)
    if (!ts.isBlock(body)) return evaluate(body, frame)
    return outcomeOf(body.statements, frame) ?? opaque(node)
  }

  /** What a function returns: its conditions are asked, and nothing else is done. */
  const outcomeOf = (statements: readonly ts.Statement[], frame: Frame): Value | null => {
    for (const each of statements) {
      if (ts.isReturnStatement(each)) return each.expression ? evaluate(each.expression, frame) : NOTHING
      if (ts.isBlock(each)) {
        const outcome = outcomeOf(each.statements, frame)
        if (outcome) return outcome
      }
      if (ts.isIfStatement(each) && descendants(each, ts.isReturnStatement).length > 0) {
        const way = isTrue(each.expression, frame) ? each.thenStatement : each.elseStatement
        const outcome = way ? outcomeOf([way], frame) : null
        if (outcome) return outcome
      }
    }
    return null
  }

  const propertyOf = (value: Value, name: string, node: ts.Node): Value => {
    if (value.kind === 'object') return value.properties.get(name)?.() ?? NOTHING
    if (value.kind !== 'opaque') return opaque(node)
    const property = checker.getPropertyOfType(value.type, name)
    return property ? ofType(checker.getTypeOfSymbolAtLocation(property, node)) : opaque(node)
  }

  const itemOf = (value: Value, index: number, node: ts.Node): Value => {
    if (value.kind === 'list') return value.items[index] ?? NOTHING
    const item = value.kind === 'opaque' ? checker.getIndexTypeOfType(value.type, ts.IndexKind.Number) : undefined
    return item ? ofType(item) : opaque(node)
  }

  const elementOf = (node: ts.ElementAccessExpression, frame: Frame): Value => {
    const value = evaluate(node.expression, frame)
    const key = node.argumentExpression
    if (ts.isNumericLiteral(key)) return itemOf(value, Number(key.text), node)
    if (value.kind !== 'object') return opaque(node)
    const name = evaluate(key, frame)
    const names = name.kind === 'text' ? [name.text] : [...value.properties.keys()]
    return propertyOf(value, names[frame.run.choices.choose(keyOf(key.getText(), key), names.length)] ?? '', node)
  }

  /** A type with only one value is that value. */
  const ofType = (type: ts.Type): Value => {
    if (type.isStringLiteral()) return { kind: 'text', text: type.value }
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { kind: 'boolean', is: checker.typeToString(type) === 'true' }
    if (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return NOTHING
    return { kind: 'opaque', type }
  }

  const composer: Composer = { project, evaluate, apply, opaque, parameterOf }
  return composer
}

const keyOf = (question: string, node: ts.Node) => {
  const around = functionAround(node)
  return `${node.getSourceFile().fileName}:${around?.pos ?? 0}:${question}`
}

const functionAround = (node: ts.Node): ts.FunctionLikeDeclaration | undefined =>
  ts.findAncestor(node.parent, (each): each is ts.FunctionLikeDeclaration => ts.isFunctionLike(each))

const nameOf = (node: ts.PropertyName | ts.BindingName): string =>
  ts.isIdentifier(node) || ts.isStringLiteralLike(node) ? node.text : node.getText()
