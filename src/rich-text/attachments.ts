import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment, serialize } from 'parse5'
import { html, raw } from '../kernel/html.ts'
import { linesOf } from './lines.ts'
import { sanitizeHtml } from './sanitize.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element
type Parent = DefaultTreeAdapterTypes.ParentNode

/** What someone wrote, cleaned, with a mark where each attachment stood. */
export interface WrittenText {
  html: string
  text: string
  /** What the attachments called themselves, by the number in their mark. */
  sgids: string[]
}

/** Markup that no person wrote: so much of it that reading it would hold up everybody else. */
export class TooMuchMarkup extends Error {
  override readonly name = 'TooMuchMarkup'
}

/** One for every letter of the longest text there is. */
const TAGS_MAX = 20_000
const DEPTH_MAX = 100

/** Private characters stand around an attachment's number while the text passes through the cleaning. */
const MARKS = /[\uE000\uE001]/g
const MARK = /\uE000(\d+)\uE001/g
const mark = (number: number) => `\uE000${number}\uE001`

const ATTACHMENT = 'action-text-attachment'
const TAG = /<[a-z!/?]/i

/** Plain text or HTML, as it was sent. Text without a tag keeps its line breaks. */
export const readRichText = (written: string): WrittenText => {
  const source = written.replace(MARKS, '').replace(/\r\n?/g, '\n').trim()
  if (!TAG.test(source)) return readPlain(source)

  if ((source.match(/<[a-z]/gi)?.length ?? 0) > TAGS_MAX) throw new TooMuchMarkup()
  const tree = parseFragment(source)
  if (isTooDeep(tree)) throw new TooMuchMarkup()

  const sgids: string[] = []
  tidy(tree, sgids)
  const clean = sanitizeHtml(serialize(tree))
  return { html: clean, text: linesOf(clean), sgids }
}

const readPlain = (source: string): WrittenText => {
  const text = source.includes('&') ? textOf(parseFragment(source)) : source
  return { html: html`${text}`.markup.replaceAll('\n', '<br>'), text, sgids: [] }
}

const textOf = (parent: Parent): string =>
  parent.childNodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join('')

/** Without recursion, which is what too much depth would break. */
const isTooDeep = (tree: Parent) => {
  const waiting: [Parent, number][] = [[tree, 0]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [parent, depth] = next
    if (depth > DEPTH_MAX) return true
    for (const child of parent.childNodes) if ('childNodes' in child) waiting.push([child, depth + 1])
  }
  return false
}

/** Blocks that the cleaning would dissolve, running their lines together. */
const BLOCKS = new Set([
  'div',
  'section',
  'article',
  'header',
  'footer',
  'main',
  'address',
  'figcaption',
  'dt',
  'dd',
  'tr',
  'h5',
  'h6',
])
const BREAKS_PARAGRAPHS = new Set([
  ...BLOCKS,
  'p',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'hr',
  'figure',
])

const tidy = (parent: Parent, sgids: string[]) => {
  for (const child of parent.childNodes.slice()) {
    if (!defaultTreeAdapter.isElementNode(child)) continue
    tidy(child, sgids)
    if (child.tagName === ATTACHMENT) replaceAttachment(parent, child, sgids)
    else if (BLOCKS.has(child.tagName) && !holdsBlocks(child)) rename(child, 'p')
  }
}

const holdsBlocks = (element: Element) =>
  element.childNodes.some((child) => defaultTreeAdapter.isElementNode(child) && BREAKS_PARAGRAPHS.has(child.tagName))

const rename = (element: Element, name: string) => {
  element.tagName = name
  element.nodeName = name
}

/** An attachment that was never closed swallows what follows it: that is text of the author and stays. */
const replaceAttachment = (parent: Parent, element: Element, sgids: string[]) => {
  const sgid = element.attrs.find((attribute) => attribute.name === 'sgid')?.value ?? ''
  const swallowed = element.childNodes.filter((child) => !isPicture(child))
  const number = sgids.push(sgid) - 1
  defaultTreeAdapter.insertTextBefore(parent, mark(number), element)
  for (const child of swallowed) {
    defaultTreeAdapter.detachNode(child)
    defaultTreeAdapter.insertBefore(parent, child, element)
  }
  defaultTreeAdapter.detachNode(element)
}

/** What editors, and we ourselves, put inside an attachment to show it. */
const isPicture = (node: Node) =>
  defaultTreeAdapter.isElementNode(node) &&
  (['figure', 'img'].includes(node.tagName) || node.attrs.some((attribute) => attribute.name === 'download'))

/** How long the text is to its author: what stands for attachments does not count. */
export const ownText = ({ text }: WrittenText) => text.replace(MARK, '').trim()

/** A file that an attachment stands for. */
export interface EmbeddedFile {
  key: string
  filename: string
}

export interface StoredText {
  html: string
  text: string
}

/** The text as it is kept: a marker names each file, an attachment that is none leaves nothing behind. */
export const storeRichText = (written: WrittenText, fileOf: (number: number) => EmbeddedFile | null): StoredText => ({
  html: written.html.replace(MARK, (_mark, number: string) => {
    const file = fileOf(Number(number))
    return file ? `<${ATTACHMENT} data-file="${file.key}"></${ATTACHMENT}>` : ''
  }),
  text: written.text
    .replace(MARK, (_mark, number: string) => {
      const file = fileOf(Number(number))
      return file ? `[${file.filename}]` : ''
    })
    .trim(),
})

/** What the kept text says of a file, filled in anew whenever it is shown. */
export interface ShownFile {
  key: string
  sgid: string
  filename: string
  contentType: string
  byteSize: number
  url: string
  isImage: boolean
}

const KEPT = new RegExp(`<${ATTACHMENT} data-file="(\\w+)"></${ATTACHMENT}>`, 'g')

/** The kept text as it is shown; whoever edits it sends the attachments back by their sgid. */
export const showRichText = (kept: string, files: readonly ShownFile[]): string => {
  if (files.length === 0 && !kept.includes(ATTACHMENT)) return kept
  return kept.replace(KEPT, (_marker, key: string) => {
    const file = files.find((each) => each.key === key)
    return file ? showFile(file).markup : ''
  })
}

/** Without a block inside: HTML would end the paragraph that an attachment stands in. */
const showFile = ({ sgid, contentType, filename, byteSize, url, isImage }: ShownFile) => {
  const picture = isImage
    ? element('img', { src: url, alt: filename })
    : html`${element('a', { href: url, download: filename })}${filename}${raw('</a>')}`
  const opening = element(ATTACHMENT, { sgid, 'content-type': contentType, filename, filesize: byteSize, url })
  return html`${opening}${picture}${raw(`</${ATTACHMENT}>`)}`
}

const element = (name: string, attributes: Record<string, string | number>) =>
  raw(
    `<${name}${Object.entries(attributes)
      .map(([key, value]) => ` ${key}="${html`${value}`.markup}"`)
      .join('')}>`,
  )
