import { html, inlineSource, raw } from '../kernel/html.ts'

const STYLE =
  ':root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1.5rem}'

const POLICY = `default-src 'none'; style-src ${inlineSource(STYLE)}; base-uri 'none'; frame-ancestors 'none'`

/** A refusal for somebody with a browser. It says no more than the same as JSON, and nothing of the shop. */
export const refusalPage = (status: number, sentence: string) => {
  const [title, text] =
    status === 404 ? ['This page is not here', 'It may have been moved or taken down.'] : [sentence, null]
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${text && html`<p>${text}</p>`}
        </main>
      </body>
    </html> `
  return { html: page.markup, headers: { 'content-security-policy': POLICY, vary: 'Accept' } }
}
