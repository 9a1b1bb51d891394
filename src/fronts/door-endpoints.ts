import { createHash } from 'node:crypto'
import { anyone } from '../access/access.ts'
import { RawAnswer, redirect } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { languageOfRequest } from '../http/request-language.ts'
import { html } from '../kernel/html.ts'
import { once } from '../kernel/once.ts'
import { NotFound } from '../kernel/refusals.ts'
import type { Language } from '../languages/rules.ts'
import { consolePage } from '../pages/console-page.ts'
import { TOKEN_STYLE } from '../pages/tokens.ts'
import { type BuiltFront, readBuiltFront } from './built-front.ts'
import { DECODER_POLICY, SERVICE_WORKER } from './rules.ts'
import { sendFile, sendImmutableFile } from './send-file.ts'
import { FRONT_WORDS } from './words.ts'

const readDoor = once(() => readBuiltFront('door'))

const policyOf = (style: string) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    `style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The same for everybody, because a phone keeps it for when there is no line. */
const doorPage = endpoint({
  method: 'GET',
  path: '/door',
  says: 'The door app, for browsers; there is nothing here for programs.',
  access: anyone(),
  answers: {},
  undocumented: true,
  isOnlyPage: true,
  handle: async () => {
    throw new NotFound()
  },
  page: async ({ headers }) => {
    const built = await readDoor()
    if (!built) return notBuiltPage(languageOfRequest(null, headers))
    return new RawAnswer(
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyOf(TOKEN_STYLE),
        'permissions-policy': 'camera=(self)',
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
      },
      built.page.replace('</head>', `<style>${TOKEN_STYLE}</style></head>`),
    )
  },
})

/** What follows a `#`, a pairing among it, goes along by itself. */
const doorPageWithSlash = endpoint({
  method: 'GET',
  path: '/door/',
  says: 'Leads to the door app, for whoever typed a slash too many.',
  access: anyone(),
  answers: {},
  undocumented: true,
  handle: async () => redirect('/door', 301),
})

const doorAsset = endpoint({
  method: 'GET',
  path: '/door/assets/:file',
  says: 'A script or style of the door app. Its name changes with its content.',
  access: anyone(),
  answers: {},
  undocumented: true,
  handle: async ({ params, headers }) => {
    const file = (await readDoor())?.files.get(params.file)
    if (!file) throw new NotFound()
    return sendImmutableFile(file, headers['accept-encoding'], { 'content-security-policy': DECODER_POLICY })
  },
})

const doorFile = endpoint({
  method: 'GET',
  path: '/door/:file',
  says: 'The manifest, an icon or the service worker of the door app.',
  access: anyone(),
  answers: {},
  undocumented: true,
  handle: async ({ params, headers }) => {
    const built = await readDoor()
    const file = built?.namedFiles.get(params.file)
    if (!built || !file) throw new NotFound()
    if (params.file !== SERVICE_WORKER) {
      return sendFile(file, headers['accept-encoding'], { 'cache-control': 'public, max-age=3600' })
    }
    return new RawAnswer(
      200,
      {
        'content-type': file.type,
        'cache-control': 'no-cache',
        'content-security-policy': DECODER_POLICY,
        // The page itself, which has no slash at its end, is in the scope too.
        'service-worker-allowed': '/door',
      },
      `${listOfFiles(built)}\n${file.plain.toString()}`,
    )
  },
})

/** What is to be kept on the phone. Another build has another list, which is how a phone notices it. */
const listOfFiles = ({ stamp, files, namedFiles }: BuiltFront) => {
  const names = [
    '/door',
    ...Array.from(files.keys(), (name) => `/door/assets/${name}`),
    ...Array.from(namedFiles.keys(), (name) => `/door/${name}`).filter((path) => !path.endsWith(SERVICE_WORKER)),
  ]
  return `self.FOYER_DOOR = ${JSON.stringify({ version: stamp, files: names })};`
}

const notBuiltPage = (language: Language) => {
  const words = FRONT_WORDS[language]
  return consolePage(
    {
      language,
      title: words.doorNotBuilt,
      body: html`<div class="narrow">
        <h1>${words.doorNotBuilt}</h1>
        <p>${words.buildItWith} <code>npm ci</code>, ${words.thenStart}</p>
      </div>`,
    },
    503,
  )
}

export const doorEndpoints = [doorPage, doorPageWithSlash, doorAsset, doorFile]
