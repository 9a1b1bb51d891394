import { z } from 'zod'
import { anyone, consoleVisitor } from '../access/access.ts'
import { ROLES } from '../access/callers.ts'
import { findActiveMemberships } from '../access/sessions.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { RawAnswer, ok } from '../http/answers.ts'
import { acceptedEncoding } from '../http/compression.ts'
import { endpoint } from '../http/endpoint.ts'
import { html } from '../kernel/html.ts'
import { once } from '../kernel/once.ts'
import { NotFound, Unauthorized } from '../kernel/refusals.ts'
import { consolePage, seeOther } from '../pages/console-page.ts'
import { type BuiltFile, readBuiltFront } from './built-front.ts'
import { showShell } from './shell.ts'

const readConsole = once(() => readBuiltFront('console'))

const FOREVER = 'public, max-age=31536000, immutable'

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
    return sendFile(file, headers['accept-encoding'])
  },
})

const sendFile = (file: BuiltFile, accepted: string | string[] | undefined) => {
  const encoding = acceptedEncoding(accepted)
  const encoded = encoding && file[encoding]
  return new RawAnswer(
    200,
    {
      'content-type': file.type,
      'cache-control': FOREVER,
      vary: 'Accept-Encoding',
      ...(encoded && { 'content-encoding': encoding }),
    },
    encoded ?? file.plain,
  )
}

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
    const memberships = await findActiveMemberships(visitor.rows, actor.personId)
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
    })
  },
})

/** Every view of the console has its address, and all of them are one page. */
const consoleShells = (['/console', '/console/*'] as const).map((path) =>
  endpoint({
    method: 'GET',
    path,
    says: 'The console, for browsers; there is nothing here for programs.',
    access: consoleVisitor(),
    answers: {},
    undocumented: true,
    handle: async () => {
      throw new NotFound()
    },
    page: async ({ member, stream }) => {
      if (!member) return seeOther(`/sign_in?return_to=${encodeURIComponent(stream.url ?? '/console')}`)
      const built = await readConsole()
      return built ? showShell(built.page) : notBuiltPage()
    },
  }),
)

const notBuiltPage = () =>
  consolePage(
    {
      title: 'The console is not built',
      body: html`<div class="narrow">
        <h1>The console is not built</h1>
        <p>Whoever runs this installation can build it: <code>npm ci</code>, then start Foyer again.</p>
        <p class="actions"><a class="button" href="/account">Your account</a></p>
      </div>`,
    },
    503,
  )

export const frontEndpoints = [consoleFile, ownSession, ...consoleShells]
