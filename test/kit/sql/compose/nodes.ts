import ts from 'typescript-api'

/** What a choice is called: the same question within one function is one choice. */
export const keyOf = (question: string, node: ts.Node) => {
  const around = functionAround(node)
  return `${node.getSourceFile().fileName}:${around?.pos ?? 0}:${question}`
}

export const functionAround = (node: ts.Node): ts.FunctionLikeDeclaration | undefined =>
  ts.findAncestor(node.parent, (each): each is ts.FunctionLikeDeclaration => ts.isFunctionLike(each))

export const nameOf = (node: ts.PropertyName | ts.BindingName): string =>
  ts.isIdentifier(node) || ts.isStringLiteralLike(node) ? node.text : node.getText()
