import { type Html, html, cspHashSource, rawHtml } from '../kernel/html.ts'
import type { Language } from '../languages/rules.ts'
import { PAGE_WORDS } from './words.ts'

export interface HtmlDocument {
  language: Language
  title: string
  /** For search engines and link previews. */
  description?: string | undefined
  /** Kept out of search engines. */
  isPrivate?: boolean | undefined
  /** Further elements of the head: links, Open Graph. */
  head?: Html | null | undefined
  style: string
  /** schema.org, for machines. */
  structuredData?: object | null | undefined
  /** Our own, unchanging code; the page must work without it. */
  script?: string | undefined
  /** Where images may come from beside the page's own origin. */
  imageSources?: readonly string[] | undefined
  /** Origins that a form of the page may lead on to, beside its own. */
  formTargets?: readonly string[] | undefined
  /** Where the name in the top bar leads, and the name itself. */
  home: Html
  /** What stands on the right of the top bar. */
  navigation?: Html | null | undefined
  /** All of it stands in <main>; it has the page's one h1. */
  body: Html
  footer: Html | string
}

export interface RenderedDocument {
  html: string
  contentSecurityPolicy: string
}

/**
 * The shell of every page. It loads nothing but images: style, structured data and script stand inline and are allowed
 * by their digests, so nothing that slips into a text could ever run.
 */
export const renderDocument = (page: HtmlDocument): RenderedDocument => {
  const data = page.structuredData ? toScript(page.structuredData) : null
  const drawn = html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title}</title>
        ${page.description && html`<meta name="description" content="${page.description}" />`}
        ${page.isPrivate && html`<meta name="robots" content="noindex" />`}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        ${page.head} ${rawHtml(`<style>${page.style}</style>`)}
        ${data && rawHtml(`<script type="application/ld+json">${data}</script>`)}
      </head>
      <body>
        <a class="skip" href="#content">${PAGE_WORDS[page.language].skip}</a>
        <header class="top"><div class="frame">${page.home} ${page.navigation}</div></header>
        <main class="frame" id="content" tabindex="-1">${page.body}</main>
        <footer class="foot"><div class="frame">${page.footer}</div></footer>
        ${page.script && rawHtml(`<script>${page.script}</script>`)}
      </body>
    </html> `
  return { html: drawn.markup, contentSecurityPolicy: policyOf(page, data) }
}

const policyOf = ({ style, script, imageSources = [], formTargets = [] }: HtmlDocument, data: string | null) => {
  const inline = [data, script].filter((code) => typeof code === 'string')
  return [
    "default-src 'none'",
    `style-src ${cspHashSource(style)}`,
    inline.length > 0 && `script-src ${inline.map(cspHashSource).join(' ')}`,
    script && "connect-src 'self'",
    `img-src ${["'self'", 'data:', ...imageSources].join(' ')}`,
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
    .filter(Boolean)
    .join('; ')
}

/** JSON that cannot end the element it stands in. */
const toScript = (data: object) => JSON.stringify(data).replaceAll('<', '\\u003c')
