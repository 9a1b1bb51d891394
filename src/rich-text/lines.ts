import type { Element, Root } from 'hast'

type Parent = Root | Element

/** How many line breaks stand before and after a block. */
const BREAKS = new Map<string, number>([
  ...['p', 'blockquote', 'pre', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table'].map(
    (name) => [name, 2] as const,
  ),
  ...['li', 'div', 'hr', 'tr', 'dt', 'dd'].map((name) => [name, 1] as const),
])

/** What stands in the text for an element as a whole, or null where its content does. */
type Naming = (element: Element) => string | null

/** A clean tree as lines of text, the way a browser would copy it: in one pass, however much of it there is. */
export const treeToPlainText = (tree: Root, nameOf: Naming = () => null): string => {
  const writer = openWriter()
  write(tree, writer, nameOf, false)
  return writer.text()
}

type Writer = ReturnType<typeof openWriter>

const write = (parent: Parent, writer: Writer, nameOf: Naming, isKept: boolean) => {
  for (const child of parent.children) {
    if (child.type === 'text') {
      if (isKept) writer.keep(child.value)
      else writer.flow(child.value)
    } else if (child.type === 'element') {
      const name = nameOf(child)
      if (name !== null) writer.word(name)
      else writeElement(child, parent, writer, nameOf, isKept)
    }
  }
}

const writeElement = (element: Element, parent: Parent, writer: Writer, nameOf: Naming, isKept: boolean) => {
  if (element.tagName === 'br') writer.keep('\n')
  const breaks = BREAKS.get(element.tagName) ?? 0
  writer.apart(inList(parent) && breaks > 1 ? 1 : breaks)
  write(element, writer, nameOf, isKept || element.tagName === 'pre')
  writer.apart(inList(parent) && breaks > 1 ? 1 : breaks)
}

/** A list inside a list goes on without an empty line. */
const inList = (parent: Parent) => parent.type === 'element' && parent.tagName === 'li'

const openWriter = () => {
  const parts: string[] = []
  let breaks = 0
  let spaceWaits = false
  let atLineStart = true

  const put = (text: string) => {
    if (breaks > 0 && parts.length > 0) parts.push('\n'.repeat(breaks))
    breaks = 0
    parts.push(text)
    atLineStart = text.endsWith('\n')
  }

  const putWord = (text: string) => {
    const opens = atLineStart || breaks > 0
    put(spaceWaits && !opens ? ` ${text}` : text)
    spaceWaits = false
  }

  return {
    /** Text whose white space means no more than a gap. */
    flow: (text: string) => {
      const words = text.replace(/[ \t\n\f\r]+/g, ' ')
      // A gap that must not break is one too: editors put it where a word ends and an element begins.
      const inner = words.trim()
      if (words.trimStart() !== words) spaceWaits = true
      if (inner === '') return
      putWord(inner)
      spaceWaits = words.trimEnd() !== words
    },
    word: putWord,
    keep: (text: string) => {
      spaceWaits = false
      put(text)
    },
    apart: (count: number) => {
      if (count === 0) return
      breaks = Math.max(breaks, count)
      spaceWaits = false
    },
    text: () => parts.join('').trim(),
  }
}
