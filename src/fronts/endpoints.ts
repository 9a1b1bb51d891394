import { z } from 'zod'
import { anyone, consoleVisitor } from '../access/access.ts'
import type { AppServices } from '../access/app.ts'
import { ROLES } from '../access/callers.ts'
import { findActiveMemberships } from '../access/sessions.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { RawAnswer, ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { languageOfRequest } from '../http/request-language.ts'
import { readImageOrThumbnail } from '../files/event-images.ts'
import { storageOf } from '../files/open-storage.ts'
import { parseImageName } from '../images/names.ts'
import { html } from '../kernel/html.ts'
import { once } from '../kernel/once.ts'
import { NotFound, Unauthorized, requireFound } from '../kernel/refusals.ts'
import type { Language } from '../languages/rules.ts'
import { consolePage, seeOther } from '../pages/console-page.ts'
import { readBuiltFront } from './built-front.ts'
import { doorEndpoints } from './door-endpoints.ts'
import { DECODER_POLICY, SERVICE_WORKER } from './rules.ts'
import { CACHE_FOREVER_HEADER, sendImmutableFile } from './send-file.ts'
import { answerFrontPage } from './shell.ts'
import { FRONT_WORDS } from './words.ts'

const readConsole = once(() => readBuiltFront('console'))

/** Codes are read from the camera by WebAssembly in a worker, which is held to the policy of its own file. */
const policyOfFile = (name: string): Record<string, string> =>
  name.startsWith('decode-worker-') && name.endsWith('.js') ? { 'content-security-policy': DECODER_POLICY } : {}

const consoleFile = endpoint({
  method: 'GET',
  path: '/console/assets/:file',
  says: 'A script or style of the console. Its name changes with its content.',
  access: anyone(),
  answers: {},
  undocumented: true,
  handle: async ({ params, headers }) => {
    const file = (await readConsole())?.files.get(params.file)
    if (!file) throw new NotFound()
    return sendImmutableFile(file, headers['accept-encoding'], policyOfFile(params.file))
  },
})

/** What shows notifications while no page is open; it asks for nothing and loads nothing. */
const WORKER_POLICY = "default-src 'none'"

const consoleWorker = endpoint({
  method: 'GET',
  path: '/console/workers/:file',
  says: 'The service worker of the console, which shows notifications.',
  access: anyone(),
  answers: {},
  undocumented: true,
  handle: async ({ params }) => {
    const file = params.file === SERVICE_WORKER ? (await readConsole())?.namedFiles.get(params.file) : undefined
    if (!file) throw new NotFound()
    return new RawAnswer(
      200,
      {
        'content-type': file.type,
        'cache-control': 'no-cache',
        'content-security-policy': WORKER_POLICY,
        // The pages of the console stand beside its folder.
        'service-worker-allowed': '/console/',
      },
      file.plain,
    )
  },
})

/** The pictures of events as the console shows them, so that it asks no other host for anything. */
const consoleImage = endpoint({
  method: 'GET',
  path: '/console/images/:name',
  says: 'An image of an event, for the console.',
  access: consoleVisitor(),
  answers: {},
  undocumented: true,
  handle: async ({ visitor, member, params }) => {
    if (!member) throw new Unauthorized()
    const name = requireFound(parseImageName(params.name))
    const { bytes, type, size } = requireFound(await readImageOrThumbnail(storageOf(visitor.app).images, name))
    return new RawAnswer(
      200,
      { 'content-type': type, 'content-length': String(size), 'cache-control': CACHE_FOREVER_HEADER },
      bytes,
    )
  },
})

const Session = z.object({
  person: z.object({ name: z.string(), email: z.string() }),
  role: z.enum(ROLES),
  membership_id: z.int(),
  account: z.object({
    name: z.string(),
    subdomain: z.string(),
    currency: z.string(),
    time_zone: z.string(),
    shop_url: z.string(),
  }),
  other_accounts: z.array(z.object({ membership_id: z.int(), name: z.string() })),
  /** A page of another build belongs to a server that is no more. */
  build: z.string().nullable(),
})

const ownSession = endpoint({
  method: 'GET',
  path: '/console/session',
  says: 'Who is signed in to the console, where, and where else they could be.',
  access: consoleVisitor(),
  answers: { 200: Session },
  undocumented: true,
  handle: async ({ visitor, member }) => {
    if (!member) throw new Unauthorized()
    const { actor, account, credential } = member
    const memberships = await findActiveMemberships(visitor, actor.personId)
    return ok({
      person: { name: actor.name, email: actor.email },
      role: credential.role!,
      membership_id: actor.membershipId,
      account: {
        name: account.name,
        subdomain: account.subdomain,
        currency: account.currency,
        time_zone: account.timeZone,
        shop_url: shopOrigin(visitor.app, account.subdomain),
      },
      other_accounts: memberships
        .filter(({ membershipId }) => membershipId !== actor.membershipId)
        .map(({ membershipId, accountName }) => ({ membership_id: membershipId, name: accountName })),
      build: (await readConsole())?.stamp ?? null,
    })
  },
})

/** Where the browser brings files when they are not kept by Foyer itself. */
const uploadOrigins = ({ settings: { objectStore } }: Pick<AppServices, 'settings'>): string[] =>
  objectStore ? [new URL(objectStore.endpoint).origin] : []

/** Every view of the console has its address, and all of them are one page. */
const consoleShells = (['/console', '/console/*'] as const).map((path) =>
  endpoint({
    method: 'GET',
    path,
    says: 'The console, for browsers; there is nothing here for programs.',
    access: consoleVisitor(),
    answers: {},
    undocumented: true,
    isOnlyPage: true,
    handle: async () => {
      throw new NotFound()
    },
    page: async ({ visitor, member, stream, headers }) => {
      if (!member) return seeOther(`/sign_in?return_to=${encodeURIComponent(stream.url ?? '/console')}`)
      const built = await readConsole()
      return built
        ? answerFrontPage(built.page, uploadOrigins(visitor.app))
        : notBuiltPage(languageOfRequest(member.account, headers))
    },
  }),
)

const notBuiltPage = (language: Language) => {
  const words = FRONT_WORDS[language]
  return consolePage(
    {
      language,
      title: words.notBuilt,
      body: html`<div class="narrow">
        <h1>${words.notBuilt}</h1>
        <p>${words.buildItWith} <code>npm ci</code>, ${words.thenStart}</p>
        <p class="actions"><a class="button" href="/account">${words.yourAccount}</a></p>
      </div>`,
    },
    503,
  )
}

export const frontEndpoints = [consoleFile, consoleWorker, consoleImage, ownSession, ...consoleShells, ...doorEndpoints]
