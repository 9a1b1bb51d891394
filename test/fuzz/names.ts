import { directoryOf } from '../../src/access/shards.ts'
import { publicImageUrl } from '../../src/files/public-images.ts'
import { signedIdOf } from '../../src/files/signed-ids.ts'
import { consoleFiles, doorFiles } from '../kit/browser/fronts.ts'
import { PNG, announce, bring } from '../kit/venue/uploads.ts'
import type { Venue } from '../kit/venue/venue.ts'

/** Everything of one venue that a request can name. */
export interface Names {
  /** For each kind of address, the values of its parts: '/admin/tasks/:' → [['4XkP…'], …]. */
  paths: Record<string, string[][]>
  /** For each kind of field, what it can be given. */
  pools: Record<string, unknown[]>
}

/** What stands in the tables, newest first and not too much of it. */
interface Standing {
  parties: [slug: string, party: string, admission: string][]
  tickets: [slug: string, id: string, code: string][]
  seated: string[]
  tasks: string[]
  links: [slug: string, id: string, sealed: string][]
  requests: [slug: string, id: string, sealed: string][]
  invitations: [id: number, sealed: string][]
  members: number[]
  tokens: number[]
  devices: number[]
  sessions: number[]
  credentials: number[]
  files: string[]
  images: string[]
  notifications: string[]
  subscriptions: string[]
  products: string[]
  vouchers: string[]
  deliveries: string[]
  imports: string[]
  guest_imports: [slug: string, id: string][]
  webhooks: string[]
  webhook_deliveries: string[]
  venues: number[]
  ticket_types: [slug: string, id: string][]
  standing_areas: [slug: string, id: string][]
  questions: [slug: string, id: string][]
  payment_methods: string[]
  conflicts: number[]
  checkouts: string[]
  set_aside: [sealed: string, id: string][]
  receipts: [sealed: string, number: string][]
  orders: string[]
  payment_refunds: [order: string, refund: string][]
  sign_in_links: string[]
  password_links: string[]
}

const listOf = (what: string, from: string, last = 12) =>
  `(select coalesce(json_agg(listed.what), '[]') from (select ${what} as what from ${from} limit ${last}) as listed)`

const publicIds = (table: string, order = 'x.id desc') =>
  listOf('x.public_id', `${table} x where x.account_id = $1 order by ${order}`)

const OF_EVENT = 'join events e on e.account_id = x.account_id and e.id = x.event_id where x.account_id = $1'
const sealed = (column: string) => `encode(x.${column}, 'hex')`

/** Credentials and people that callers are known by are not given away: revoking them would end the conversation. */
const spareCredentials = (kinds: string) =>
  listOf(
    'x.id',
    `credentials x where x.account_id = $1 and x.kind in (${kinds}) and x.revoked_at is null and (x.description ilike 'spare%'
      or (select count(*) from credentials y where y.id <= x.id
        and y.id >= (select min(id) from credentials where account_id = $1)) > 41) order by x.id`,
  )

const partsOf = (table: string) =>
  listOf('json_build_array(e.slug, x.id::text)', `${table} x ${OF_EVENT} order by x.id`)

const signInLinks = (purpose: string) =>
  listOf(
    sealed('sealed_token'),
    `sign_in_links x where x.purpose = '${purpose}' and x.used_at is null order by x.id desc`,
    4,
  )

/** What belongs to people, wherever the account lives. */
const OF_PEOPLE = { sign_in_links: signInLinks('sign_in'), password_links: signInLinks('password') }

const LISTS: Record<Exclude<keyof Standing, keyof typeof OF_PEOPLE>, string> = {
  parties: listOf(
    'json_build_array(e.slug, o.public_id, x.public_id)',
    `admissions x join orders o on o.account_id = x.account_id and o.id = x.order_id ${OF_EVENT} and o.origin = 'guest_list'
      and o.status = 'paid' and x.redeemed_at is null and x.status = 'active' order by x.id desc`,
    20,
  ),
  tickets: listOf(
    'json_build_array(e.slug, x.public_id, x.check_in_code)',
    `admissions x ${OF_EVENT} order by x.redeemed_at is not null, x.id desc`,
    20,
  ),
  seated: publicIds('(select * from admissions where place_id is not null)'),
  tasks: publicIds('tasks'),
  links: listOf(
    `json_build_array(e.slug, x.public_id, ${sealed('sealed_token')})`,
    `signup_links x ${OF_EVENT} order by x.id`,
  ),
  requests: listOf(
    `json_build_array(e.slug, x.public_id, ${sealed('sealed_page_token')})`,
    `signup_requests x ${OF_EVENT} order by x.reviewed_at is not null, x.id`,
  ),
  invitations: listOf(
    `json_build_array(x.id, ${sealed('sealed_token')})`,
    `invitations x where x.account_id = $1 and x.accepted_at is null and x.revoked_at is null and x.expires_at > foyer_now()
      order by x.id desc`,
  ),
  members: listOf(
    'x.id',
    `memberships x join people p on p.id = x.person_id where x.account_id = $1 and p.email like '%@spare.example'`,
  ),
  tokens: spareCredentials(`'account_token', 'personal_token'`),
  devices: spareCredentials(`'scanner_device'`),
  sessions: spareCredentials(`'session'`),
  credentials: listOf('x.id', 'credentials x where x.account_id = $1 order by x.id desc'),
  files: listOf(
    'x.key',
    `blobs x where x.account_id = $1 and x.uploaded_at is not null and x.purpose = 'task' order by x.id desc`,
  ),
  images: listOf(
    'x.key',
    `blobs x where x.account_id = $1 and x.held_at is not null and x.purpose <> 'task' order by x.id desc`,
  ),
  notifications: publicIds('notifications'),
  subscriptions: publicIds('push_subscriptions'),
  products: publicIds('voucher_products'),
  vouchers: publicIds('vouchers'),
  deliveries: publicIds('voucher_deliveries'),
  imports: publicIds('voucher_imports'),
  guest_imports: listOf('json_build_array(e.slug, x.public_id)', `guest_imports x ${OF_EVENT} order by x.id desc`),
  webhooks: publicIds('webhook_endpoints'),
  webhook_deliveries: publicIds('webhook_deliveries', 'x.failed_at is null, x.id desc'),
  venues: listOf('x.id', 'venues x where x.account_id = $1 order by x.id'),
  ticket_types: partsOf('tickets'),
  standing_areas: partsOf('standing_areas'),
  questions: partsOf('questions'),
  payment_methods: listOf('x.id', `(values ('bank_transfer'), ('at_the_door'), ('stripe'), ('test')) x (id)`),
  conflicts: listOf('x.attempt_id', 'sync_conflicts x where x.account_id = $1 order by x.attempt_id desc'),
  checkouts: listOf(
    sealed('token_sealed'),
    `checkouts x where x.account_id = $1 order by x.status <> 'open', x.id desc`,
  ),
  set_aside: listOf(
    `json_build_array(${sealed('token_sealed')}, r.public_id)`,
    `checkouts x join voucher_reservations r on r.account_id = x.account_id and r.checkout = x.public_id
      where x.account_id = $1 and r.released_at is null order by x.id desc`,
  ),
  receipts: listOf(
    `json_build_array(${sealed('token_sealed')}, r.number::text)`,
    `checkouts x join receipts r on r.account_id = x.account_id and r.checkout_id = x.id
      where x.account_id = $1 order by x.id desc`,
  ),
  orders: listOf('x.public_id', `orders x where x.account_id = $1 and x.origin = 'shop' order by x.id desc`),
  payment_refunds: listOf(
    'json_build_array(o.public_id, x.public_id)',
    `payment_refunds x join payments p on p.account_id = x.account_id and p.id = x.payment_id
      join orders o on o.account_id = p.account_id and o.checkout_id = p.payable_id
      where x.account_id = $1 order by x.id desc`,
  ),
}

const questionOf = (lists: Record<string, string>) =>
  `select ${Object.entries(lists)
    .map(([name, list]) => `${list} as ${name}`)
    .join(', ')}`

export const namesOf = async (venue: Venue): Promise<Names> => {
  const { app, report, origin, office, stranger } = venue
  for (const address of ['/sign_in', '/password']) await stranger.post(address, { email: 'uwe@spare.example' })
  const announced = await venue.client(report.api_tokens['olga write']).post('/admin/task_uploads', NEW_PICTURE)
  const picture = await office.post('/admin/direct_uploads', NEW_PICTURE)
  await bring(origin, picture.body, PNG)
  const pairing = await office.post('/admin/device_pairings', { device_pairing: { name: 'Door 3' } })
  const ga = report.events['winter-ball']!.tickets['ga']
  await office.post('/admin/events/winter-ball/guest_imports', { csv: 'Ada\nBo +1\n', ticket_id: ga })
  const { host } = new URL(report.account.shop_url)
  const feed = await stranger.get('/events/winter-ball', { headers: { host } })
  await shopAround(venue, host)

  const accountId = report.account.id
  const standing = {
    ...(await app.database.pool.query<Standing>(questionOf(LISTS), [accountId])).rows[0]!,
    ...(await directoryOf(app).pool.query<Pick<Standing, keyof typeof OF_PEOPLE>>(questionOf(OF_PEOPLE))).rows[0]!,
  }
  const unseal = (purpose: string, hex: string) => app.secrets.open(purpose, Buffer.from(hex, 'hex'))
  const one = (values: readonly (string | number)[]) => values.map((value) => [String(value)])
  const slugs = Object.keys(report.events)
  const ball = report.events['winter-ball']!

  return {
    paths: {
      '/admin/events/:': one([...slugs, 'winter-ball', 'winter-ball', 'winter-ball']),
      '/admin/events/:/tickets/:': standing.ticket_types,
      '/admin/events/:/standing_areas/:': standing.standing_areas,
      '/admin/events/:/questions/:': standing.questions,
      '/admin/venues/:': one(standing.venues),
      '/admin/payment_methods/:': one(standing.payment_methods),
      '/admin/redemption_attempts/:': one(standing.conflicts.length > 0 ? standing.conflicts : [1]),
      '/payments/:/webhooks/:': [['stripe', 'nobody']],
      '/payments/test/:': [['nobody']],
      '/payments/returns/:': [['nobody']],
      '/wallet/apple/:': [['nobody']],
      '/wallet/google/:': [['nobody']],
      '/wallet/orders/:': [['nobody']],
      '/wallet/v1/devices/:/registrations/:': [['phone', 'pass.example.foyer']],
      '/wallet/v1/devices/:/registrations/:/:': [['phone', 'pass.example.foyer', 'nobody']],
      '/wallet/v1/passes/:/:': [['pass.example.foyer', 'nobody']],
      '/admin/orders/:': one(standing.orders),
      '/admin/orders/:/payment_refunds/:': standing.payment_refunds,
      '/checkouts/:': one(standing.checkouts.map((token) => unseal('checkout', token))),
      '/checkouts/:/vouchers/:': standing.set_aside.map(([token, id]) => [unseal('checkout', token), id]),
      '/orders/:': one(standing.receipts.map(([token]) => unseal('checkout', token))),
      '/orders/:/receipts/:': standing.receipts.map(([token, number]) => [unseal('checkout', token), number]),
      '/orders/:/receipts/:.pdf': standing.receipts.map(([token, number]) => [unseal('checkout', token), number]),
      '/scanner/events/:': one(slugs),
      '/events/:': one(slugs),
      '/admin/memberships/:': one(standing.members),
      '/admin/invitations/:': one(standing.invitations.map(([id]) => id)),
      '/invitations/:': one(standing.invitations.map(([, token]) => unseal('invitation link', token))),
      '/admin/api_tokens/:': one(standing.tokens),
      '/admin/scanner_devices/:': one(standing.devices),
      '/admin/sessions/:': one(standing.sessions),
      '/account/sessions/:': one(standing.sessions),
      '/account/passkeys/:': [['1']],
      '/console/assets/:': one(await consoleFiles()),
      '/console/workers/:': one(['service-worker.js']),
      '/door/assets/:': one(await doorFiles()),
      '/door/:': one(['manifest.webmanifest', 'service-worker.js']),
      '/admin/device_pairings/:': one([pairing.body.id]),
      '/sign_in/links/:': one(standing.sign_in_links.map((token) => unseal('sign-in link', token))),
      '/password/:': one(standing.password_links.map((token) => unseal('sign-in link', token))),
      '/admin/events/:/guest_parties/:': standing.parties.map(([slug, party]) => [slug, party]),
      '/admin/events/:/guest_parties/:/admissions/:': standing.parties,
      '/admin/events/:/guest_imports/:': standing.guest_imports,
      '/admin/events/:/guest_list_forms/:': standing.links.map(([slug, id]) => [slug, id]),
      '/admin/events/:/guest_requests/:': standing.requests.map(([slug, id]) => [slug, id]),
      '/guest_list/:': one(standing.links.map(([, , token]) => unseal('signup link', token))),
      '/guest_signups/:': one(standing.requests.map(([, , token]) => unseal('signup page', token))),
      '/admin/order_items/:': one(standing.seated),
      '/scanner/tickets/:': one(standing.tickets.flatMap(([, id, code]) => [id, code])),
      '/scanner/events/:/tickets/:': standing.tickets.flatMap(([slug, id, code]) => [
        [slug, id],
        [slug, code],
      ]),
      '/admin/tasks/:': one(standing.tasks),
      '/admin/task_viewers/:': [['page-1']],
      '/admin/task_uploads/:': one(standing.files.map((key) => signedIdOf(app, key))),
      '/uploads/:': one([lastPart(announced.body.direct_upload.url)]),
      '/public_images/:': one(standing.images.map((key) => lastPart(publicImageUrl(app, { accountId, key })))),
      '/images/:': one([lastPart(String(feed.body?.image_url))]),
      '/console/images/:': one([lastPart(String(feed.body?.image_url))]),
      '/admin/notifications/:': one(standing.notifications),
      '/admin/push_subscriptions/:': one(standing.subscriptions),
      '/admin/voucher_products/:': one(standing.products),
      '/admin/vouchers/:': one(standing.vouchers),
      '/admin/voucher_deliveries/:': one(standing.deliveries),
      '/admin/voucher_imports/:': one(standing.imports),
      '/admin/webhook_endpoints/:': one(standing.webhooks),
      '/admin/webhook_deliveries/:': one(standing.webhook_deliveries),
    },
    pools: {
      ticket: [ball.tickets['ga'], ...Object.values(ball.tickets), report.events['draft-show']!.tickets['ga']],
      place: Object.values(ball.places),
      area: Object.values(ball.standing_areas),
      event: Object.values(report.events).map(({ id }) => id),
      question: Object.values(ball.questions),
      slug: ['winter-ball', ...slugs],
      membership: Object.values(report.people).map(({ membership_id }) => membership_id),
      credential: standing.credentials,
      admission: standing.tickets.map(([, id]) => id),
      task: standing.tasks,
      party: standing.parties.map(([, party]) => party),
      voucher: standing.vouchers,
      link: standing.links.map(([, id]) => id),
      'voucher product': standing.products,
      'voucher code': Object.values(report.vouchers).map(({ code }) => code),
      'pairing secret': [pairing.body.pairing_secret],
      picture: [picture.body.signed_id],
      email: EMAILS,
    },
  }
}

/** Somebody buys at the venue's shop: one purchase is under way with a voucher, one is paid. */
const shopAround = async ({ report, stranger }: Venue, host: string) => {
  const { tickets } = report.events['winter-ball']!
  const ask = (method: string, address: string, body: object) =>
    stranger.ask(method, address, { body, headers: { host } })
  const begin = async (ticket: string) => {
    const items = [{ ticket_id: tickets[ticket], quantity: 1 }]
    const checkout = { event_slug: 'winter-ball', items, code: 'backstage' }
    return (await ask('POST', '/checkouts', { checkout })).body?.token as string | undefined
  }
  const buyer = { customer_name: 'Berit', customer_email: 'berit@guest.example' }
  const [open, paid] = [await begin('ga'), await begin('crew')]
  if (open) await ask('POST', `/checkouts/${open}/vouchers`, { code: Object.values(report.vouchers)[0]!.code })
  if (!paid) return
  await ask('PATCH', `/checkouts/${paid}`, { checkout: buyer })
  await ask('POST', `/checkouts/${paid}/payment`, {})
}

const NEW_PICTURE = announce(PNG, 'new.png', 'image/png')

const EMAILS = [
  'ada@engine.example',
  'una@spare.example',
  'new@guest.example',
  'wanda@guest.example',
  'ÄÖ@ü.example',
  'olga@neue-halle.example',
]

const lastPart = (url: string) => new URL(url, 'http://x').pathname.split('/').at(-1)!
