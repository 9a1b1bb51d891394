import type { Element, Root } from 'hast'
import { type Schema, sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { html } from '../kernel/html.ts'
import { treeToPlainText } from './lines.ts'
import { TooMuchMarkup, parseMarkup } from './parse.ts'

type Tree = Root | Root['children'][number]

/** Simple formatting and links. What is not listed loses its tag and keeps its text; scripts and styles lose both. */
const FORMATTING = {
  tagNames: 'p br hr h2 h3 h4 blockquote pre ul ol li strong b em i u s del sub sup small code a'.split(' '),
  attributes: { a: ['href'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  ancestors: { li: ['ul', 'ol'] },
  required: {},
  clobber: [],
  strip: ['script', 'style', 'template', 'title', 'textarea', 'noscript', 'iframe', 'object', 'svg', 'math'],
  allowComments: false,
  allowDoctypes: false,
} satisfies Schema

/** A link leads to another site in a way that tells it nothing; an address of any other kind is no link. */
const LINK = /^(?:https?:\/\/|mailto:)/i

/** The element that a file stands in, with what it may carry and hold beside formatting. */
export interface EmbeddedElement {
  tagName: string
  attributes: string[]
  /** Elements that may stand inside of it alone, each with its attributes. */
  inside: Record<string, string[]>
}

/** What is left of a tree when all is gone that is not listed. Nothing may be put into the tree after this. */
export const sanitizeTree = (tree: Root, embedded?: EmbeddedElement): Root => {
  renameHeadings(tree)
  const cleaned = sanitize(tree, embedded ? schemaWith(embedded) : FORMATTING)
  const clean: Root = cleaned.type === 'root' ? cleaned : { type: 'root', children: [cleaned] }
  dressLinks(clean, embedded)
  return clean
}

const schemaWith = ({ tagName, attributes, inside }: EmbeddedElement): Schema => ({
  ...FORMATTING,
  tagNames: [...new Set([...FORMATTING.tagNames, tagName, ...Object.keys(inside)])],
  attributes: { ...FORMATTING.attributes, ...inside, [tagName]: attributes },
  ancestors: {
    ...FORMATTING.ancestors,
    ...Object.fromEntries(
      Object.keys(inside)
        .filter((name) => !FORMATTING.tagNames.includes(name))
        .map((name) => [name, [tagName]]),
    ),
  },
})

export const treeToHtml = (tree: Root): string => toHtml(tree)

/** Somebody's HTML as it may be shown to anybody. */
export const sanitizeHtml = (markup: string): string => {
  if (!markup.includes('<') && !markup.includes('&')) return html`${markup}`.markup
  return orTextWhenTooMuch(markup, () => treeToHtml(sanitizeTree(parseMarkup(markup))))
}

/** The same as text: paragraphs and list items on lines of their own. */
export const markupToPlainText = (markup: string): string => {
  if (!markup.includes('<') && !markup.includes('&')) return markup.trim()
  return orTextWhenTooMuch(
    markup,
    () => treeToPlainText(sanitizeTree(parseMarkup(markup))),
    (text) => text,
  )
}

/**
 * For what is kept already. Of markup that no person wrote, what stands between its tags is shown as text; every pair of
 * brackets is looked for once.
 */
export const orTextWhenTooMuch = (
  markup: string,
  read: () => string,
  show: (text: string) => string = (text) => html`${text}`.markup,
): string => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TooMuchMarkup)) throw error
    return show(withoutTags(markup))
  }
}

const withoutTags = (markup: string): string => {
  const texts: string[] = []
  let at = 0
  for (let opening = markup.indexOf('<'); opening !== -1; opening = markup.indexOf('<', at)) {
    const closing = markup.indexOf('>', opening)
    if (closing === -1) break
    texts.push(markup.slice(at, opening))
    at = closing + 1
  }
  texts.push(markup.slice(at))
  return texts
    .map((text) => text.trim())
    .filter(Boolean)
    .join(' ')
}

/** Goes into an element unless the visit says no. */
const walk = (node: Tree, visit: (element: Element) => boolean) => {
  if (node.type === 'element' && !visit(node)) return
  if ('children' in node) for (const child of node.children) walk(child, visit)
}

/** The page has its one first heading already. */
const renameHeadings = (tree: Tree) =>
  walk(tree, (element) => {
    if (element.tagName === 'h1') element.tagName = 'h2'
    if (element.tagName === 'h5' || element.tagName === 'h6') element.tagName = 'h4'
    return true
  })

/** What stands inside of an embedded file is our own. */
const dressLinks = (tree: Tree, embedded: EmbeddedElement | undefined) =>
  walk(tree, (element) => {
    if (element.tagName === 'a') {
      const href = element.properties['href']
      element.properties = typeof href === 'string' && LINK.test(href) ? { href, rel: ['noopener', 'noreferrer'] } : {}
    }
    return element.tagName !== embedded?.tagName
  })
