import { html, cspHashSource, rawHtml } from '../kernel/html.ts'
import type { Language } from '../languages/rules.ts'
import { translate } from '../languages/translate.ts'
import { REFUSAL_PAGE_WORDS } from './words.ts'

const STYLE =
  ':root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem}'

const POLICY = `default-src 'none'; style-src ${cspHashSource(STYLE)}; base-uri 'none'; frame-ancestors 'none'`

/** A refusal for somebody with a browser. It says no more than the same as JSON, and nothing of the shop. */
export const refusalPage = (status: number, sentence: string, language: Language) => {
  const words = REFUSAL_PAGE_WORDS[language]
  const [title, text] =
    status === 404 ? [words.notHere, words.movedOrGone] : [translate(REFUSAL_PAGE_WORDS, sentence, language), null]
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${rawHtml(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${text && html`<p>${text}</p>`}
        </main>
      </body>
    </html> `
  return { html: page.markup, headers: { 'content-security-policy': POLICY, vary: 'Accept, Accept-Language' } }
}
