import { type Html, html, inlineSource, raw } from '../kernel/html.ts'
import { BASE_STYLE } from './style.ts'

export interface PublicPage {
  /** The page's own title, without the shop's name. */
  title: string
  shopName: string
  /** For search engines and link previews. */
  description?: string
  /** Further elements of the head: links, Open Graph. */
  head?: Html | null
  /** All of it stands in <main>; it has the page's one h1. */
  body: Html
  /** What the page adds to the shared style. */
  style?: string
  /** schema.org, for machines. */
  structuredData?: object | null
  /** Where images may come from beside the page's own origin. */
  imageSources?: readonly string[]
  /** Kept out of search engines. */
  isPrivate?: boolean
  /** What stands on the right of the top bar; the programme unless told otherwise. */
  navigation?: Html | null
}

export interface DrawnPage {
  html: string
  contentSecurityPolicy: string
}

/**
 * The frame of every page that guests see. It needs no script and loads nothing but images: style and structured data
 * stand inline and are allowed by their digests, so nothing that slips into a text could ever run.
 */
export const publicPage = (page: PublicPage): DrawnPage => {
  const style = BASE_STYLE + (page.style ?? '')
  const data = page.structuredData ? toScript(page.structuredData) : null
  const drawn = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title === page.shopName ? page.title : `${page.title} · ${page.shopName}`}</title>
        ${page.description && html`<meta name="description" content="${page.description}" />`}
        ${page.isPrivate && html`<meta name="robots" content="noindex" />`}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        ${page.head} ${raw(`<style>${style}</style>`)}
        ${data && raw(`<script type="application/ld+json">${data}</script>`)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <div class="frame">
            <a class="shop" href="/events" dir="auto">${page.shopName}</a>
            ${page.navigation === undefined ? html`<nav aria-label="Shop"><a href="/events">Programme</a></nav>` : page.navigation}
          </div>
        </header>
        <main class="frame" id="content" tabindex="-1">${page.body}</main>
        <footer class="foot">
          <div class="frame"><span dir="auto">${page.shopName}</span> · runs on Foyer</div>
        </footer>
      </body>
    </html> `
  return { html: drawn.markup, contentSecurityPolicy: policyOf(style, data, page.imageSources ?? []) }
}

const policyOf = (style: string, data: string | null, imageSources: readonly string[]) =>
  [
    "default-src 'none'",
    `style-src ${inlineSource(style)}`,
    data && `script-src ${inlineSource(data)}`,
    `img-src ${["'self'", 'data:', ...imageSources].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
    .filter((directive) => directive !== null)
    .join('; ')

/** JSON that cannot end the element it stands in. */
const toScript = (data: object) => JSON.stringify(data).replaceAll('<', '\\u003c')
