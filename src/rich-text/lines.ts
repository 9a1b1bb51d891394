import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5'

type Parent = DefaultTreeAdapterTypes.ParentNode

/** How many line breaks stand before and after a block. */
const BREAKS = new Map<string, number>([
  ...['p', 'blockquote', 'pre', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table'].map(
    (name) => [name, 2] as const,
  ),
  ...['li', 'div', 'hr', 'tr', 'dt', 'dd'].map((name) => [name, 1] as const),
])

/** Clean markup as lines of text, the way a browser would copy it: in one pass, however much of it there is. */
export const linesOf = (markup: string): string => {
  const writer = openWriter()
  write(parseFragment(markup), writer, false)
  return writer.text()
}

type Writer = ReturnType<typeof openWriter>

const write = (parent: Parent, writer: Writer, isKept: boolean) => {
  for (const child of parent.childNodes) {
    if (defaultTreeAdapter.isTextNode(child)) {
      if (isKept) writer.keep(child.value)
      else writer.flow(child.value)
    } else if (defaultTreeAdapter.isElementNode(child)) {
      if (child.tagName === 'br') writer.keep('\n')
      const breaks = BREAKS.get(child.tagName) ?? 0
      writer.apart(inList(parent) && breaks > 1 ? 1 : breaks)
      write(child, writer, isKept || child.tagName === 'pre')
      writer.apart(inList(parent) && breaks > 1 ? 1 : breaks)
    }
  }
}

/** A list inside a list goes on without an empty line. */
const inList = (parent: Parent) => 'tagName' in parent && parent.tagName === 'li'

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

  return {
    /** Text whose white space means no more than a gap. */
    flow: (text: string) => {
      const words = text.replace(/[ \t\n\f\r]+/g, ' ')
      const inner = words.trim()
      if (words.startsWith(' ')) spaceWaits = true
      if (inner === '') return
      const opens = atLineStart || breaks > 0
      put(spaceWaits && !opens ? ` ${inner}` : inner)
      spaceWaits = words.endsWith(' ')
    },
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
