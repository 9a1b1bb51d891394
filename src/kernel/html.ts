import { createHash } from 'node:crypto'

/** Markup that is safe to send. Only html`` and raw() make it. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }

  toString() {
    return this.markup
  }
}

/** What is absent leaves nothing behind, so that `condition && html`…`` reads well inside a template. */
type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[]

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

/** Escapes every value, for text and for quoted attributes alike. */
export const html = (strings: TemplateStringsArray, ...values: HtmlValue[]): Html =>
  new Html(strings.reduce((markup, string, index) => markup + show(values[index - 1]) + string))

const show = (value: HtmlValue): string => {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(show).join('')
  return escapeHtml(String(value))
}

/** For markup that has been sanitized or is our own. */
export const rawHtml = (markup: string): Html => new Html(markup)

/** How a content security policy names a style or script that stands in the page itself. */
export const cspHashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
