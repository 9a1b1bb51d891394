import path from 'node:path'
import ts from 'typescript-api'

const ROOT = path.join(import.meta.dirname, '../../..')

export interface Project {
  readonly checker: ts.TypeChecker
  readonly files: readonly ts.SourceFile[]
  /** Every call in the project of what this symbol names. */
  callsOf(symbol: ts.Symbol): readonly ts.CallExpression[]
  /** What a name means in the end, wherever it was imported from. */
  symbolOf(node: ts.Node): ts.Symbol | undefined
  placeOf(node: ts.Node): string
}

/** The server's own source as the compiler understands it; further files, by path and text, for a control. */
export const openProject = (extra: Readonly<Record<string, string>> = {}): Project => {
  const config = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT)
  const names = ts.sys
    .readDirectory(path.join(ROOT, 'src'), ['.ts'], undefined, undefined)
    .filter((name) => !name.endsWith('.test.ts'))
  const given = new Map(Object.entries(extra).map(([name, text]) => [path.join(ROOT, name), text]))
  const host = withFiles(ts.createCompilerHost(options, true), given)
  return readProject(ts.createProgram([...names, ...given.keys()], options, host))
}

const withFiles = (host: ts.CompilerHost, given: ReadonlyMap<string, string>): ts.CompilerHost => ({
  ...host,
  fileExists: (name) => given.has(name) || host.fileExists(name),
  readFile: (name) => given.get(name) ?? host.readFile(name),
  getSourceFile: (name, version, ...rest) => {
    const text = given.get(name)
    return text === undefined
      ? host.getSourceFile(name, version, ...rest)
      : ts.createSourceFile(name, text, version, true)
  },
})

const readProject = (program: ts.Program): Project => {
  const checker = program.getTypeChecker()
  const source = path.join(ROOT, 'src') + path.sep
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(source))

  const symbolOf = (node: ts.Node) => {
    const symbol = checker.getSymbolAtLocation(node)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  // By name first: to ask the compiler about every call would have it check the whole source.
  const calls = callsByName(files)
  const callsOf = (symbol: ts.Symbol) =>
    (calls.get(symbol.name) ?? []).filter(({ expression: callee }) => {
      return symbolOf(ts.isPropertyAccessExpression(callee) ? callee.name : callee) === symbol
    })

  const placeOf = (node: ts.Node) => {
    const file = node.getSourceFile()
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
    return `${path.relative(ROOT, file.fileName)}:${line + 1}`
  }
  return { checker, files, callsOf, symbolOf, placeOf }
}

const callsByName = (files: readonly ts.SourceFile[]) => {
  const calls = new Map<string, ts.CallExpression[]>()
  for (const file of files) {
    const renamed = new Map(
      descendants(file, ts.isImportSpecifier).map(({ name, propertyName }) => [name.text, (propertyName ?? name).text]),
    )
    for (const call of descendants(file, ts.isCallExpression)) {
      const { expression: callee } = call
      const { text } = ts.isPropertyAccessExpression(callee) ? callee.name : { text: callee.getText(file) }
      const name = renamed.get(text) ?? text
      const known = calls.get(name)
      if (known) known.push(call)
      else calls.set(name, [call])
    }
  }
  return calls
}

export const descendants = <T extends ts.Node>(node: ts.Node, is: (each: ts.Node) => each is T): T[] => {
  const found: T[] = []
  const visit = (each: ts.Node) => {
    if (is(each)) found.push(each)
    each.forEachChild(visit)
  }
  node.forEachChild(visit)
  return found
}
