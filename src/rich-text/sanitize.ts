import { fromHtml } from 'hast-util-from-html'
import { type Schema, sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { toText } from 'hast-util-to-text'
import { html } from '../kernel/html.ts'

type Tree = ReturnType<typeof sanitize>

/** Simple formatting and links. What is not listed loses its tag and keeps its text; scripts and styles lose both. */
const ALLOWED: Schema = {
  tagNames: 'p br hr h2 h3 h4 blockquote pre ul ol li strong b em i u s del sub sup small code a'.split(' '),
  attributes: { a: ['href'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  ancestors: { li: ['ul', 'ol'] },
  required: {},
  clobber: [],
  strip: ['script', 'style', 'template', 'title', 'textarea', 'noscript', 'iframe', 'object', 'svg', 'math'],
  allowComments: false,
  allowDoctypes: false,
}

/** A link leads to another site in a way that tells it nothing; an address of any other kind is no link. */
const LINK = /^(?:https?:\/\/|mailto:)/i

/** Somebody's HTML as it may be shown to anybody. */
export const sanitizeHtml = (markup: string): string => {
  if (!markup.includes('<') && !markup.includes('&')) return html`${markup}`.markup
  return unlessTooDeep(markup, () => toHtml(cleanTree(markup)))
}

/** The same as text: paragraphs and list items on lines of their own. */
export const plainText = (markup: string): string => {
  if (!markup.includes('<') && !markup.includes('&')) return markup.trim()
  return unlessTooDeep(markup, () => toText(cleanTree(markup)).trim())
}

const cleanTree = (markup: string): Tree => {
  const tree = fromHtml(markup, { fragment: true })
  renameHeadings(tree)
  const clean = sanitize(tree, ALLOWED)
  dressLinks(clean)
  return clean
}

const walk = (node: Tree, visit: (element: Extract<Tree, { type: 'element' }>) => void) => {
  if (node.type === 'element') visit(node)
  if ('children' in node) for (const child of node.children) walk(child, visit)
}

/** The page has its one first heading already. */
const renameHeadings = (tree: Tree) =>
  walk(tree, (element) => {
    if (element.tagName === 'h1') element.tagName = 'h2'
    if (element.tagName === 'h5' || element.tagName === 'h6') element.tagName = 'h4'
  })

const dressLinks = (tree: Tree) =>
  walk(tree, (element) => {
    if (element.tagName !== 'a') return
    const href = element.properties['href']
    element.properties = typeof href === 'string' && LINK.test(href) ? { href, rel: ['noopener', 'noreferrer'] } : {}
  })

/** Nobody writes elements nested by the thousand; who sends them gets what stands between them. */
const unlessTooDeep = (markup: string, read: () => string): string => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return html`${markup.replaceAll(/<[^>]*>/g, ' ').trim()}`.markup
  }
}
