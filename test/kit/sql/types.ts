import ts from 'typescript-api'
import type { Project } from './project.ts'

export const isKyselySql = ({ symbolOf }: Project, node: ts.Node): boolean => {
  const declaration = symbolOf(node)?.valueDeclaration
  return symbolOf(node)?.name === 'sql' && !!declaration?.getSourceFile().fileName.includes('/node_modules/kysely/')
}

/** Whether Kysely would write it into the text instead of sending it as a parameter. */
export const isExpression = (type: ts.Type): boolean => type.getProperty('toOperationNode') !== undefined

export const isText = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.every(isText) : !!(type.flags & ts.TypeFlags.StringLike)

export const isBoolean = (type: ts.Type): boolean => !!(type.flags & ts.TypeFlags.BooleanLike)

export const isNullable = (type: ts.Type): boolean =>
  type.isUnion()
    ? type.types.some(isNullable)
    : !!(type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Any | ts.TypeFlags.Unknown))

export const partsOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type])

/** The types of each property, one for every alternative of a row. Where an alternative has none, it may be null. */
export const propertiesOf = ({ checker }: Project, alternatives: readonly ts.Type[], node: ts.Node) => {
  const names = new Set(alternatives.flatMap((each) => checker.getPropertiesOfType(each).map(({ name }) => name)))
  return new Map(
    Array.from(names, (name) => [
      name,
      alternatives.map((each) => {
        const property = checker.getPropertyOfType(each, name)
        return property ? checker.getTypeOfSymbolAtLocation(property, node) : checker.getNullType()
      }),
    ]),
  )
}
