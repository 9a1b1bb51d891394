import { html, rawHtml } from '../kernel/html.ts'
import type { Language } from '../languages/rules.ts'

export interface RenderedMail {
  title: string
  /** What an inbox shows beside the subject. */
  preheader?: string
  /** A line break inside a paragraph stays one. */
  paragraphs: string[]
  button?: { label: string; url: string }
  /** Who sends this and why. */
  footer?: string
  language: Language
}

/** One layout for every mail of Foyer, as a page and as plain text. Everything given is escaped. */
export const renderMail = (content: RenderedMail): { text: string; html: string } => {
  if (content.button) refuseStrangeUrl(content.button.url)
  return { text: plainText(content), html: page(content) }
}

/** A mail's button leads to a web page and nowhere else. */
const refuseStrangeUrl = (url: string) => {
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) {
    throw new Error('The button of a mail must lead to a web page')
  }
}

const plainText = ({ title, paragraphs, button, footer }: RenderedMail) =>
  [title, ...paragraphs, button && `${button.label}:\n${button.url}`, footer && `-- \n${footer}`]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')

const lines = (text: string) => text.split(/\r\n|\r|\n/).map((line, index) => [index > 0 && rawHtml('<br>'), line])

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Mail programs drop what they do not know, so the light design stands in the elements and only the dark one here. */
const DARK = rawHtml(`<style>
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .desk { background-color: #15171c !important; }
    .paper { background-color: #20242c !important; border-color: #343a46 !important; }
    .ink { color: #f1f3f7 !important; }
    .faint { color: #a6aebd !important; }
    .button { background-color: #e8ebf2 !important; color: #15171c !important; }
    .link { color: #9dbdff !important; }
  }
</style>`)

const page = ({ title, preheader, paragraphs, button, footer, language }: RenderedMail) =>
  String(
    html`<!doctype html>
      <html lang="${language}" dir="auto">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <title>${title}</title>
          ${DARK}
        </head>
        <body class="desk" style="margin:0;padding:0;background-color:#f2f3f6;">
          ${preheader && html`<div style="display:none;max-height:0;overflow:hidden;">${preheader}</div>`}
          <table
            role="presentation"
            class="desk"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            border="0"
            style="background-color:#f2f3f6;"
          >
            <tr>
              <td align="center" style="padding:32px 16px;">
                <table
                  role="presentation"
                  class="paper"
                  width="100%"
                  cellpadding="0"
                  cellspacing="0"
                  border="0"
                  style="max-width:560px;background-color:#ffffff;border:1px solid #dfe2e8;border-radius:12px;"
                >
                  <tr>
                    <td dir="auto" style="padding:32px;${FONT};">
                      <h1
                        class="ink"
                        dir="auto"
                        style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600;color:#15171c;"
                      >
                        ${title}
                      </h1>
                      ${paragraphs.map(
                        (paragraph) =>
                          html`<p
                            class="ink"
                            dir="auto"
                            style="margin:0 0 16px;font-size:16px;line-height:1.6;color:#2b303b;"
                          >
                            ${lines(paragraph)}
                          </p> `,
                      )}${button && buttonOf(button)}
                    </td>
                  </tr>
                </table>
                ${footer && html`<p class="faint" dir="auto" style="margin:16px 0 0;max-width:560px;${FONT};font-size:13px;line-height:1.5;color:#5a6272;">${lines(footer)}</p>`}
              </td>
            </tr>
          </table>
        </body>
      </html> `,
  )

const buttonOf = ({ label, url }: { label: string; url: string }) =>
  html`<p style="margin:24px 0;">
      <a
        class="button"
        href="${url}"
        style="display:inline-block;padding:14px 24px;border-radius:8px;background-color:#15171c;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none;"
        >${label}</a
      >
    </p>
    <p class="faint" style="margin:0;font-size:13px;line-height:1.5;color:#5a6272;word-break:break-all;">
      <a class="link" href="${url}" style="color:#2452b5;">${url}</a>
    </p> `
