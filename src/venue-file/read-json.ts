import { FileFault } from '../loading/fault.ts'

/** The file as JSON, or a sentence that names the line. The text itself is never quoted: it may hold passwords. */
export const readJson = (text: string): unknown => {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch {
    const before = json.slice(0, findFault(json)).split('\n')
    throw new FileFault(`line ${before.length}, column ${before.at(-1)!.length + 1}: is not valid JSON.`)
  }
}

const SPACE = /[ \t\n\r]*/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma'

/** Where a text stops being JSON: JSON.parse tells its position only for some faults. */
const findFault = (text: string): number => {
  const open: string[] = []
  let at = 0

  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }

  const skipLetter = (letter: string) => {
    if (text[at] !== letter) return false
    at++
    return true
  }

  /** Inside of a broken string the position stays where it breaks. */
  const skipString = () => {
    if (!skipLetter('"')) return false
    while (at < text.length && text[at]! >= ' ') {
      if (skipLetter('"')) return true
      if (text[at] !== '\\') at++
      else if (!skip(ESCAPE)) return false
    }
    return false
  }

  const close = (): Next => {
    open.pop()
    return 'comma'
  }

  const afterValue = (): Next | null => {
    if (skipLetter('{')) {
      open.push('}')
      return 'first key'
    }
    if (skipLetter('[')) {
      open.push(']')
      return 'first value'
    }
    return (text[at] === '"' ? skipString() : skip(SCALAR)) ? 'comma' : null
  }

  const after = (next: Next): Next | null => {
    if (next === 'value') return afterValue()
    if (next === 'first value') return skipLetter(']') ? close() : afterValue()
    if (next === 'first key' && skipLetter('}')) return close()
    if (next === 'key' || next === 'first key') return skipString() ? 'colon' : null
    if (next === 'colon') return skipLetter(':') ? 'value' : null

    const end = open.at(-1)
    if (end === undefined) return null
    if (skipLetter(end)) return close()
    return skipLetter(',') ? (end === '}' ? 'key' : 'value') : null
  }

  let next: Next | null = 'value'
  while (next !== null) {
    skip(SPACE)
    next = after(next)
  }
  return at
}
