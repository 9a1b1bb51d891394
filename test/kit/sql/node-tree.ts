/** A node of PostgreSQL's parsed statements: its kind and its fields. */
export interface Node {
  readonly kind: string
  readonly fields: Readonly<Record<string, Field>>
}

export type Field = Node | Field[] | string | null

const TOKEN = /\s*(?:([(){}]|\[[^\]]*\])|((?:\\.|[^\s(){}\\])+))/y

/** Reads what PostgreSQL writes of a parsed statement: `{KIND :field value …}`, `(list)`, `<>` for nothing. */
export const parseNodeTree = (text: string): Field => {
  const tokens = tokenize(text)
  let at = 0

  const read = (): Field => {
    const token = tokens[at++]
    if (token === undefined) throw new Error('The parsed statement ends too early.')
    if (token === '(') return readList()
    if (token === '{') return readNode()
    return token === '<>' ? null : token
  }

  const readList = (): Field[] => {
    const items: Field[] = []
    while (tokens[at] !== ')') items.push(read())
    at++
    // The first of a list of numbers, or of a set of them, says only what they are.
    return ['o', 'i', 'b'].includes(wordOf(items[0])) ? items.slice(1) : items
  }

  const readNode = (): Node => {
    const kind = tokens[at++]!
    const fields: Record<string, Field> = {}
    while (tokens[at] !== '}') {
      const name = tokens[at++]!.slice(1)
      const values: Field[] = []
      while (tokens[at] !== '}' && !tokens[at]!.startsWith(':')) values.push(read())
      fields[name] = values.length === 1 ? values[0]! : values
    }
    at++
    return { kind, fields }
  }

  return read()
}

const tokenize = (text: string): string[] => {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match && match[0] !== ''; match = TOKEN.exec(text)) {
    tokens.push(match[1] ?? match[2] ?? '')
  }
  return tokens
}

export const isNode = (field: Field | undefined): field is Node =>
  typeof field === 'object' && field !== null && !Array.isArray(field)

export const nodesOf = (field: Field | undefined): Node[] => (Array.isArray(field) ? field.filter(isNode) : [])

/** A name, a number or a word, as it is written. */
export const wordOf = (field: Field | undefined): string => (typeof field === 'string' ? field : '')

export const wordsOf = (field: Field | undefined): string[] => (Array.isArray(field) ? field.map(wordOf) : [])

export const numberOf = (field: Field | undefined): number => Number(wordOf(field))
