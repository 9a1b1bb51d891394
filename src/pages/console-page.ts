import { z } from 'zod'
import { RawAnswer } from '../http/answers.ts'
import { type BodyReader, isRecord } from '../http/body.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { type Html, html, rawHtml } from '../kernel/html.ts'
import { showMessage } from '../kernel/message-words.ts'
import type { Language } from '../languages/rules.ts'
import { type HtmlDocument, renderDocument } from './document.ts'
import { BASE_STYLE } from './style.ts'
import { PAGE_WORDS } from './words.ts'

type ConsolePage = Pick<HtmlDocument, 'language' | 'title' | 'body' | 'navigation' | 'script' | 'formTargets'>

const STYLE = `${BASE_STYLE}
main.frame { padding-top: clamp(1.75rem, 5vw, 3.5rem); padding-bottom: 4rem; }
input[aria-invalid='true']:not([type='checkbox']) { border-color: var(--bad); border-width: 2px; }
.narrow { max-width: 30rem; margin: 0 auto; }
.narrow h1 { font-size: clamp(1.75rem, 1.3rem + 2vw, 2.375rem); }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; margin-top: 1.5rem; }
.rows { list-style: none; margin: 1rem 0; padding: 0; border-top: 1px solid var(--line); }
.rows li { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; justify-content: space-between; align-items: center;
  padding: 0.875rem 0; border-bottom: 1px solid var(--line); }
.rows form { margin: 0; }
legend { padding: 0; }
section { margin-top: 2.5rem; }
[hidden] { display: none !important; }
`

/** The frame of the console's own pages: signing in, invitations, what is one's own. They need no script. */
export const consolePage = (
  { language, title, body, navigation, script, formTargets }: ConsolePage,
  status = 200,
  headers: Record<string, string | string[]> = {},
): RawAnswer => {
  const drawn = renderDocument({
    language,
    title: `${title} · Foyer`,
    isPrivate: true,
    style: STYLE,
    home: html`<a class="shop" href="/">Foyer</a>`,
    navigation,
    body,
    footer: PAGE_WORDS[language].consoleFooter,
    script,
    formTargets,
  })
  return new RawAnswer(
    status,
    {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': drawn.contentSecurityPolicy,
      // Not "no-referrer": with it, browsers would call the origin of our own forms unknown.
      'referrer-policy': 'same-origin',
      ...headers,
    },
    drawn.html,
  )
}

export interface TextField {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string
  hint?: string
  autocomplete: string
  required?: boolean
  faults?: readonly string[] | undefined
}

/** A labelled field; what is wrong with it stands beneath it and is read out with it. */
export const textField = (field: TextField, language: Language): Html => {
  const id = `field-${field.name.replace(/\W+/g, '-')}`
  const isWrong = field.faults !== undefined && field.faults.length > 0
  const described = [field.hint && `${id}-hint`, isWrong && `${id}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for="${id}">${field.label}</label>
    ${field.hint && html`<p class="hint" id="${id}-hint">${field.hint}</p>`}
    <input
      id="${id}"
      name="${field.name}"
      type="${field.type ?? 'text'}"
      value="${field.value ?? ''}"
      autocomplete="${field.autocomplete}"
      ${
        field.required && rawHtml(' required')
      }${isWrong && rawHtml(' aria-invalid="true"')}${described && html` aria-describedby="${described}"`}
    />
    ${isWrong && html`<p class="error" id="${id}-error">${field.label} ${showMessage(field.faults![0]!, language)}</p>`}
  </div>`
}

/** Whether a refusal should be told as JSON; a browser's form gets a page. */
export const prefersJson = (headers: RequestHeaders): boolean => {
  const accept = String(headers['accept'] ?? '')
  return accept.includes('application/json') && !accept.includes('text/html')
}

/** After a form was posted: the browser goes on with a GET, so that reloading posts nothing twice. */
export const seeOther = (location: string, cookies: string[] = []): RawAnswer =>
  new RawAnswer(
    303,
    { location, 'content-type': 'text/plain; charset=utf-8', ...(cookies.length > 0 && { 'set-cookie': cookies }) },
    '',
  )

/** The fields of a form as they were sent; each page reads its own. */
export const anyFormBody: BodyReader<Record<string, unknown>> = {
  schema: z.object({}),
  read: (json) => (isRecord(json) ? json : {}),
}
