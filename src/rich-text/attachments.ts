import type { Element, ElementContent, Root } from 'hast'
import { html } from '../kernel/html.ts'
import { treeToPlainText } from './lines.ts'
import { parseMarkup } from './parse.ts'
import { type EmbeddedElement, sanitizeTree, orTextWhenTooMuch, treeToHtml } from './sanitize.ts'

/** What someone wrote, cleaned; its attachments stand in the tree and nowhere else. */
export interface ParsedRichText {
  tree: Root
  /** Text without a tag keeps its line breaks and its spaces as they are. */
  plain: string | null
  /** What the attachments called themselves, in their order. */
  sgids: string[]
}

const ATTACHMENT = 'action-text-attachment'
const TAG = /<[a-z!/?]/i
/** As mail programs write a person; no element has such a name. */
const ADDRESS = /<([^\s<>"'=/@]+@[^\s<>"'=/@]+)>/g

/** The attachment as it is sent, as it is kept, and as it is shown. */
const SENT: EmbeddedElement = { tagName: ATTACHMENT, attributes: ['sgid'], inside: {} }
const KEPT: EmbeddedElement = { tagName: ATTACHMENT, attributes: ['dataFile'], inside: {} }
const SHOWN: EmbeddedElement = {
  tagName: ATTACHMENT,
  attributes: ['sgid', 'content-type', 'filename', 'filesize', 'url'],
  inside: { img: ['src', 'alt'], a: ['href', 'download'] },
}

/** Plain text or HTML, as it was sent. */
export const parseRichText = (written: string): ParsedRichText => {
  const source = written.replace(/\r\n?/g, '\n').replace(ADDRESS, '&lt;$1&gt;').trim()
  if (!TAG.test(source)) return readPlain(source)

  const sent = parseMarkup(source)
  tidy(sent)
  const tree = sanitizeTree(sent, SENT)
  return { tree, plain: null, sgids: attachmentsOf(tree).map((attachment) => textOf(attachment.properties['sgid'])) }
}

const readPlain = (source: string): ParsedRichText => {
  const tree: Root = source.includes('&') ? parseMarkup(source) : { type: 'root', children: [] }
  const plain = source.includes('&')
    ? tree.children.map((node) => (node.type === 'text' ? node.value : '')).join('')
    : source
  return { tree, plain, sgids: [] }
}

const textOf = (property: Element['properties'][string]) => (typeof property === 'string' ? property : '')

/** Blocks that the cleaning would dissolve, running their lines together. */
const BLOCKS = new Set('div section article header footer main address figcaption dt dd tr h5 h6'.split(' '))
/** Their borders are dissolved, too: what stands in two of them is no one word. */
const CELLS = new Set(['td', 'th'])
const BREAKS_PARAGRAPHS = new Set([...BLOCKS, ...'p ul ol li blockquote pre table h1 h2 h3 h4 hr figure'.split(' ')])

const tidy = (parent: Root | Element) => {
  const children: ElementContent[] = []
  for (const child of parent.children as ElementContent[]) {
    if (child.type !== 'element') children.push(child)
    else {
      tidy(child)
      if (BLOCKS.has(child.tagName) && !holdsBlocks(child)) child.tagName = 'p'
      if (isCell(child) && isCell(children.at(-1))) children.push({ type: 'text', value: ' ' })
      children.push(...(isAttachment(child) ? withoutSwallowed(child) : [child]))
    }
  }
  parent.children = children
}

const isCell = (node: ElementContent | undefined) => node?.type === 'element' && CELLS.has(node.tagName)

const isAttachment = ({ tagName }: Element) => tagName === ATTACHMENT

const holdsBlocks = (element: Element) =>
  element.children.some((child) => child.type === 'element' && BREAKS_PARAGRAPHS.has(child.tagName))

/** An attachment that was never closed swallows what follows it: that is text of the author and stays. */
const withoutSwallowed = (attachment: Element): ElementContent[] => [
  { ...attachment, children: [] },
  ...attachment.children.filter((child) => !isPicture(child)),
]

/** What editors, and we ourselves, put inside an attachment to show it. */
const isPicture = (node: ElementContent) =>
  node.type === 'element' && (['figure', 'img'].includes(node.tagName) || 'download' in node.properties)

const attachmentsOf = (parent: Root | Element): Element[] =>
  parent.children.flatMap((child) => {
    if (child.type !== 'element') return []
    return isAttachment(child) ? [child] : attachmentsOf(child)
  })

/** The same tree with something else where its attachments stand. */
const replaceAttachments = (tree: Root, replace: (attachment: Element) => Element | null): Root => {
  const replaced = (parent: Root | Element): ElementContent[] =>
    (parent.children as ElementContent[]).flatMap((child) => {
      if (child.type !== 'element') return child
      return isAttachment(child) ? (replace(child) ?? []) : { ...child, children: replaced(child) }
    })
  return { type: 'root', children: replaced(tree) }
}

/** How long the text is to its author: what stands for attachments does not count. */
export const textWithoutAttachments = (written: ParsedRichText) => linesWith(written, () => '')

const linesWith = ({ tree, plain }: ParsedRichText, nameOf: (attachment: Element) => string) =>
  plain ?? treeToPlainText(tree, (element) => (isAttachment(element) ? nameOf(element) : null))

/** A file that an attachment stands for. */
export interface EmbeddedFile {
  key: string
  filename: string
}

export interface RichTextToStore {
  html: string
  text: string
}

/**
 * The text as it is kept: an element names each file, an attachment that is none leaves nothing behind. Throws where
 * there would be too much to read again for whoever shall see it.
 */
export const renderForStorage = (
  written: ParsedRichText,
  fileOf: (number: number) => EmbeddedFile | null,
): RichTextToStore => {
  if (written.plain !== null) return { html: showPlain(written.plain), text: written.plain }

  const files = new Map(attachmentsOf(written.tree).map((attachment, number) => [attachment, fileOf(number)]))
  const named = replaceAttachments(written.tree, (attachment) => {
    const file = files.get(attachment)
    return file ? elementOf(ATTACHMENT, { dataFile: file.key }) : null
  })
  const kept = treeToHtml(sanitizeTree(named, KEPT))
  if (kept.includes(ATTACHMENT)) parseMarkup(kept)
  const text = linesWith(written, (attachment) => {
    const file = files.get(attachment)
    return file ? `[${file.filename}]` : ''
  })
  return { html: kept, text }
}

const showPlain = (text: string) => html`${text}`.markup.replaceAll('\n', '<br>')

/** What the kept text says of a file, filled in anew whenever it is shown. */
export interface AttachmentToShow {
  key: string
  sgid: string
  filename: string
  contentType: string
  byteSize: number
  url: string
  isImage: boolean
}

/** The kept text as it is shown; whoever edits it sends the attachments back by their sgid. */
export const showRichText = (kept: string, files: readonly AttachmentToShow[]): string => {
  if (!kept.includes(ATTACHMENT)) return kept
  const fileOf = new Map(files.map((file) => [file.key, file]))
  return orTextWhenTooMuch(kept, () => {
    const shown = replaceAttachments(parseMarkup(kept), (attachment) => {
      const file = fileOf.get(textOf(attachment.properties['dataFile']))
      return file ? showFile(file) : null
    })
    return treeToHtml(sanitizeTree(shown, SHOWN))
  })
}

/** Without a block inside: HTML would end the paragraph that an attachment stands in. */
const showFile = ({ sgid, contentType, filename, byteSize, url, isImage }: AttachmentToShow): Element => {
  const picture = isImage
    ? elementOf('img', { src: url, alt: filename })
    : elementOf('a', { href: url, download: filename }, [{ type: 'text', value: filename }])
  return elementOf(ATTACHMENT, { sgid, 'content-type': contentType, filename, filesize: byteSize, url }, [picture])
}

const elementOf = (
  tagName: string,
  properties: Record<string, string | number>,
  children: ElementContent[] = [],
): Element => ({ type: 'element', tagName, properties, children })
