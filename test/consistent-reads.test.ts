import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../src/http/endpoint.ts'
import { isReadOnly, requiredParametersOf } from '../src/assistant/tool.ts'
import { toolsOf } from '../src/assistant/tools.ts'
import { ENDPOINTS } from '../src/main.ts'
import { signLink } from '../src/access/signed-links.ts'
import { ORDER_LINK } from '../src/wallet/rules.ts'
import { consoleFiles, doorFiles } from './kit/browser/fronts.ts'
import type { Client } from './kit/venue/client.ts'
import { openAssistant } from './kit/venue/assistant.ts'
import { atShop } from './kit/venue/shop.ts'
import { linkTo, signedIn } from './kit/venue/sessions.ts'
import { type Signups, openSignups } from './kit/venue/signups.ts'
import { type WatchedRequest, countMoments, watchStatements } from './kit/database/statements.ts'
import { PNG, uploadFile } from './kit/venue/uploads.ts'
import { theApp } from './kit/venue/venue.ts'

const TOOLS = toolsOf(ENDPOINTS)

/*
 * Every endpoint that reads is asked for something that is there, and what it asks the database is watched: its answer
 * is one statement, or one transaction in which all statements see the same moment. And whatever was written is
 * answered from the transaction that wrote it.
 */

let watch: ReturnType<typeof watchStatements>

beforeAll(async () => {
  watch = watchStatements((await theApp()).apps.map(({ database }) => database))
})

afterAll(() => watch.close())

/** Goes out in pieces for as long as the reader takes: each piece is of its own moment, and nothing is held meanwhile. */
const STREAMED: Record<string, number> = {
  '/scanner/events/winter-ball/snapshot': 2,
  '/scanner/events/winter-ball/tickets': 2,
  '/scanner/tickets?event_slug=winter-ball': 2,
  // With who took it, before and after, and the note of that.
  '/admin/vouchers.csv': 4,
  // The note of who took it, and then the whole account in one moment.
  '/admin/export': 2,
}

interface Furnished extends Signups {
  /** How each address with something to fill in is asked for. */
  addresses: Record<string, string[]>
  /** What a tool needs to be told. */
  parameters: Record<string, string>
}

const GUEST = 'ada@engine.example'

/** A venue in which there is one of everything. */
const furnish = async (): Promise<Furnished> => {
  const ball = await openSignups((event, file) => {
    event['orders'] = [
      {
        key: 'o',
        customer_name: 'Rita',
        customer_email: 'rita@guest.example',
        status: 'paid',
        items: [{ ticket: 'ga' }],
      },
    ]
    file['vouchers'] = [
      {
        key: 'sold',
        amount: '50.00',
        purchase: { customer_name: 'Bea', customer_email: 'bea@guest.example', paid_amount: '50.00' },
      },
      { key: 'other', amount: '20.00' },
    ]
  })
  const { office, path } = ball
  const make = async (address: string, body?: object) => {
    const reply = await office.post(address, body)
    expect([200, 201, 202], `${address} ${reply.text}`).toContain(reply.status)
    return reply.body
  }

  const hall = await make('/admin/venues', { venue: { name: 'Speicherboden' } })
  const party = await ball.party({ party_size: 2 })
  const seated = await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-1']] })
  const form = await ball.link({ max_companions: 4, asks_questions: true })
  await ball.submit(form.public_url, { email: GUEST })
  const ownPage = new URL(await ball.ownPage(GUEST)).pathname
  await ball.approve(await ball.requestOf(GUEST))
  await ball.sendJson(`${ownPage}/companions`, { guest_addition: { companions: 1 } })
  await ball.sendJson(`${ownPage}/companions`, { guest_addition: { companions: 9 } })
  await ball.sendJson(`${ownPage}/resend`, {})
  const request = await ball.requestOf(GUEST)

  const task = await make('/admin/tasks', { task: { title: 'Coats', event_slug: 'winter-ball' } })
  await make(`/admin/tasks/${task.id}/comments`, { comment: { body: '<p>Now</p>' } })
  await office.patch(`/admin/tasks/${task.id}`, { task: { title: 'Hats' } })
  await office.patch(`/admin/tasks/${task.id}/position`, { position: { status: 'done' } })
  const file = await uploadFile({ origin: ball.origin, client: office }, Buffer.from('a plan'))
  const image = await uploadFile(
    { origin: ball.origin, client: office, path: '/admin/direct_uploads' },
    PNG,
    'gift.png',
    'image/png',
  )
  const product = await make('/admin/voucher_products', {
    voucher_product: { name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00', image: image.signed_id },
  })
  const sold = ball.report.vouchers['sold']!
  await make(`/admin/vouchers/${sold.id}/adjustment`, { direction: 'credit', amount: '5.00', reason: 'x' })
  await make(`/admin/vouchers/${sold.id}/block`, { reason: 'x' })
  const imported = await make('/admin/voucher_imports', { csv: 'amount\n5.00\n' })
  const guests = await make('/admin/events/winter-ball/guest_imports', { csv: 'Ada\nBo\n' })
  const webhook = await make('/admin/webhook_endpoints', {
    webhook_endpoint: { url: 'https://books.example/foyer', kinds: ['guest_party.created'] },
  })
  await ball.party()
  const pairing = await make('/admin/device_pairings', { device_pairing: { name: 'Door 9' } })
  const device = await make('/admin/scanner_devices', { scanner_device: { name: 'Door 8' } })
  const token = await make('/admin/api_tokens', {
    api_token: { description: 'Site', permission: 'read', kind: 'account' },
  })
  const invited = 'nora@partner.example'
  const invitation = await make('/admin/invitations', { invitation: { email: invited, role: 'manager' } })
  // Made when it is first asked for.
  await office.get('/admin/push_key')
  await ball.workOffJobs()
  const invitationLink = await linkTo(ball, invited)
  const olga = 'olga@neue-halle.example'
  const linkFor = async (address: string, fields: object) => {
    await ball.stranger.post(address, fields)
    await ball.workOffJobs()
    return linkTo(ball, olga)
  }
  const [admission] = party.admissions
  const shop = atShop(ball)
  const { tickets } = ball.report.events['winter-ball']!
  /** A purchase whose buyer has said who they are and wants to pay. */
  const buy = async (ticket: string, code: string | null) => {
    const items = [{ ticket_id: tickets[ticket], quantity: 1 }]
    const begun = await shop.ask('POST', '/checkouts', {
      body: { checkout: { event_slug: 'winter-ball', items, code } },
    })
    const at = `/checkouts/${begun.body.token}`
    const checkout = { customer_name: 'Berit', customer_email: 'berit@guest.example' }
    await shop.ask('PATCH', at, { body: { checkout } })
    return (await shop.ask('POST', `${at}/payment`, { body: { payment_method: 'test' } })).body
  }
  const paying = await buy('ga', null)
  const bought = await buy('crew', 'backstage')
  const open = await shop.ask('POST', '/checkouts', {
    body: { checkout: { event_slug: 'winter-ball', items: [{ ticket_id: tickets['ga'], quantity: 1 }] } },
  })

  return {
    ...ball,
    parameters: {
      event_title: 'Winter Ball',
      query: 'ada',
      form_id: form.public_id,
      task_id: task.id,
      voucher_id: sold.id,
      code: sold.code,
      order_id: bought.order.public_id,
    },
    addresses: {
      '/console/assets/:file': [`/console/assets/${(await consoleFiles())[0]}`],
      '/console/workers/:file': ['/console/workers/service-worker.js'],
      '/console/*': ['/console/events'],
      '/door/assets/:file': [`/door/assets/${(await doorFiles())[0]}`],
      '/door/:file': ['/door/manifest.webmanifest', '/door/service-worker.js'],
      '/admin/events/:event_slug': [path],
      '/admin/invitations/:id': [`/admin/invitations/${invitation.id}`],
      '/invitations/:token': [invitationLink],
      '/admin/api_tokens/:id': [`/admin/api_tokens/${token.id}`],
      '/admin/scanner_devices': ['/admin/scanner_devices', '/admin/scanner_devices?with=heartbeats'],
      '/admin/scanner_devices/:id': [`/admin/scanner_devices/${device.id}`],
      '/admin/device_pairings/:id': [`/admin/device_pairings/${pairing.id}`],
      '/sign_in/links/:token': [await linkFor('/sign_in', { email: olga })],
      '/password/:token': [await linkFor('/password', { email: olga })],
      '/admin/events/:event_slug/guest_party_summaries': [`${path}/guest_party_summaries`],
      '/admin/events/:event_slug/guest_list': [`${path}/guest_list`, `${path}/guest_list?query=ada&filter=expected`],
      '/admin/events/:event_slug/ticket_options': [`${path}/ticket_options`],
      '/admin/events/:event_slug/questions': [`${path}/questions`],
      '/admin/events/:event_slug/tickets': [`${path}/tickets`],
      '/admin/events/:event_slug/standing_areas': [`${path}/standing_areas`],
      '/admin/events/:event_slug/places': [`${path}/places`],
      '/admin/events/:event_slug/preview': [`${path}/preview`],
      '/admin/events/:event_slug/night': [`${path}/night`],
      '/admin/events/:event_slug/night/stream': [`${path}/night/stream`],
      '/admin/events/:event_slug/sale': [`${path}/sale`],
      '/admin/events/:event_slug/sale/stream': [`${path}/sale/stream`],
      '/admin/events/:event_slug/guest_parties/:public_id': [ball.partyPath(party)],
      '/admin/events/:event_slug/guest_parties/:public_id/edit': [`${ball.partyPath(party)}/edit`],
      '/admin/events/:event_slug/guest_parties/:public_id/tickets': [`${ball.partyPath(party)}/tickets`],
      '/admin/events/:event_slug/guest_parties/:public_id/history': [`${ball.partyPath(party)}/history`],
      '/admin/events/:event_slug/guest_list_forms': [ball.forms],
      '/admin/events/:event_slug/guest_list_forms/:public_id': [`${ball.forms}/${form.public_id}`],
      '/admin/events/:event_slug/guest_list_forms/:public_id/poster': [`${ball.forms}/${form.public_id}/poster`],
      '/admin/events/:event_slug/guest_list_form': [
        `${path}/guest_list_form`,
        '/admin/events/spring-night/guest_list_form',
      ],
      '/admin/events/:event_slug/guest_requests': [
        `${ball.requests}?status=approved`,
        `${ball.requests}?form_id=${form.public_id}`,
      ],
      '/admin/events/:event_slug/guest_requests/:public_id': [`${ball.requests}/${request.public_id}`],
      '/guest_list/:token': [new URL(form.public_url).pathname],
      '/guest_signups/:token': [ownPage],
      '/admin/order_items/:public_id/seat_exchange': [
        `/admin/order_items/${seated.admissions[0].public_id}/seat_exchange`,
      ],
      '/scanner/events/:event_slug/snapshot': ['/scanner/events/winter-ball/snapshot'],
      '/scanner/events/:event_slug/tickets': [
        '/scanner/events/winter-ball/tickets',
        '/scanner/events/winter-ball/tickets?query=ada',
        `/scanner/events/winter-ball/tickets?query=${admission.check_in_code}`,
      ],
      '/scanner/tickets': [
        '/scanner/tickets?event_slug=winter-ball',
        '/scanner/tickets?event_slug=winter-ball&query=a',
      ],
      '/scanner/search': [
        '/scanner/search?q=ada',
        '/scanner/search?event_slug=winter-ball',
        '/scanner/search?q=ada&event_slug=winter-ball',
        '/scanner/search?q=guest%20of%20a&event_slug=winter-ball',
        `/scanner/search?q=${admission.public_id}&event_slug=winter-ball`,
      ],
      '/scanner/tickets/:identifier': [`/scanner/tickets/${admission.public_id}`],
      '/scanner/events/:event_slug/attempts': ['/scanner/events/winter-ball/attempts'],
      '/scanner/events/:event_slug/stats': ['/scanner/events/winter-ball/stats'],
      '/admin/tasks': ['/admin/tasks', '/admin/tasks?event_slug=winter-ball&assignee_id=me'],
      '/admin/tasks/:id': [`/admin/tasks/${task.id}`],
      '/admin/task_assignees': ['/admin/task_assignees', '/admin/task_assignees?event_slug=winter-ball'],
      '/admin/tasks/:task_id/comments': [`/admin/tasks/${task.id}/comments`],
      '/admin/task_uploads/:signed_id': [`/admin/task_uploads/${file.signed_id}`],
      '/public_images/:signed_link': [new URL(product.image_url).pathname],
      '/events/:slug/tickets': ['/events/winter-ball/tickets'],
      // Looks by itself at who stands in line, and gives whoever comes a place.
      '/events/:slug/line': [],
      '/checkouts/:token': [`/checkouts/${paying.token}`, `/checkouts/${open.body.token}`],
      '/checkouts/:token/items': [`/checkouts/${open.body.token}/items`],
      '/orders/:token': [`/orders/${bought.token}`],
      '/orders/:token/tickets.pdf': [`/orders/${bought.token}/tickets.pdf`],
      '/orders/:token/receipts/:number.pdf': [new URL(bought.order.receipt.url).pathname],
      '/admin/orders/:public_id': [`/admin/orders/${bought.order.public_id}`],
      '/admin/events/:event_slug/orders': [`${path}/orders`, `${path}/orders?query=berit`],
      '/admin/events/:event_slug/orders.csv': [`${path}/orders.csv`],
      '/admin/accounting': ['/admin/accounting?from=2026-01-01&to=2026-12-31'],
      '/admin/accounting/voucher_months': ['/admin/accounting/voucher_months?from=2026-01&to=2026-12'],
      '/admin/accounting/voucher_months.csv': ['/admin/accounting/voucher_months.csv?from=2026-01&to=2026-12'],
      '/admin/accounting.csv': ['/admin/accounting.csv?from=2026-01-01&to=2026-12-31'],
      '/events/:slug': ['/events/winter-ball'],
      '/events/:slug.ics': ['/events/winter-ball.ics'],
      // A file of the disk; the database is not asked.
      '/images/:name': [],
      '/console/images/:name': [],
      '/admin/venues/:id': [`/admin/venues/${hall.id}`],
      '/admin/voucher_products/:id': [`/admin/voucher_products/${product.id}`],
      '/admin/vouchers': ['/admin/vouchers', `/admin/vouchers?limit=1&page=${sold.id}`],
      '/admin/vouchers/:id': [`/admin/vouchers/${sold.id}`],
      '/admin/vouchers/:voucher_id/reservations': [`/admin/vouchers/${sold.id}/reservations`],
      '/admin/events/:event_slug/guest_imports': ['/admin/events/winter-ball/guest_imports'],
      '/admin/events/:event_slug/guest_imports/:id': [`/admin/events/winter-ball/guest_imports/${guests.id}`],
      '/admin/voucher_imports/:id': [`/admin/voucher_imports/${imported.id}`],
      '/payments/test/:signed_link': [new URL(paying.payment.redirect_url).pathname],
      // A redirect: it asks the provider about a payment and settles it.
      '/payments/returns/:signed_link': [],
      // They write down that a pass was given out or has changed, and need a certificate; src/wallet has their tests.
      '/wallet/apple/:signed_link': [],
      '/wallet/google/:signed_link': [],
      '/wallet/v1/passes/:pass_type/:serial': [],
      '/wallet/orders/:signed_link': [
        `/wallet/orders/${signLink(ball.app.secrets, ORDER_LINK, { accountId: ball.accountId, id: party.public_id, expiresAt: null })}`,
      ],
      '/wallet/v1/devices/:device/registrations/:pass_type': ['/wallet/v1/devices/phone/registrations/pass.example'],
      '/admin/webhook_endpoints/:id': [`/admin/webhook_endpoints/${webhook.id}`],
      '/admin/webhook_endpoints/:webhook_endpoint_id/deliveries': [`/admin/webhook_endpoints/${webhook.id}/deliveries`],
    },
  }
}

const addressesOf = ({ addresses }: Furnished, { path }: Endpoint): string[] => {
  const known = addresses[path]
  if (!known && path.includes(':')) throw new Error(`Say in this test how something at ${path} is asked for`)
  return known ?? [path]
}

const tell = ({ moments }: WatchedRequest) =>
  moments.map(({ begun, statements }) => [begun ?? '', ...statements].join('\n')).join('\n--\n')

test('every answer of an endpoint that reads is of one moment', async () => {
  const venue = await furnish()
  const browser = await signedIn(venue, 'olga@neue-halle.example')
  const shop = atShop(venue)
  const askerOf = ({ access, path }: Endpoint): Pick<Client, 'get'> => {
    if (access.site === 'shop') return shop
    // A page for people who are signed in.
    return path === '/account' || path.startsWith('/console') ? browser : venue.office
  }

  for (const endpoint of ENDPOINTS.filter(({ method, path }) => method === 'GET' && path !== '/mcp')) {
    for (const address of addressesOf(venue, endpoint)) {
      const statuses: number[] = []
      for (const accept of endpoint.page ? ['application/json', 'text/html'] : ['application/json']) {
        watch.watched.length = 0
        const { status } = await askerOf(endpoint).get(address, { headers: { accept } })
        statuses.push(status)
        const [asked] = watch.watched
        expect(countMoments(asked!), `${address}\n${tell(asked!)}`).toBeLessThanOrEqual(STREAMED[address] ?? 1)
      }
      // Some addresses have something for people alone.
      expect(Math.min(...statuses), address).toBeLessThan(400)
    }
  }
})

test('every answer of a tool that reads is of one moment, however many endpoints it asks', async () => {
  const venue = await furnish()
  const assistant = await openAssistant(venue, venue.report.api_tokens['office write']!)
  const reading = TOOLS.flatMap((tool) =>
    Object.entries(tool.actions).flatMap(([name, action]) => (isReadOnly(action) ? [{ tool, name, action }] : [])),
  )
  expect(reading.length).toBeGreaterThan(10)
  for (const { tool, name, action } of reading) {
    const given = Object.fromEntries(
      requiredParametersOf(action).map((parameter) => [parameter, venue.parameters[parameter]]),
    )
    watch.watched.length = 0
    await assistant.does(tool.name, { action: name, ...given })
    const asked = watch.watched.filter(({ url }) => url === '/mcp')
    expect(asked.length).toBeGreaterThan(0)
    for (const each of asked) expect(countMoments(each), `${tool.name} ${name}\n${tell(each)}`).toBeLessThanOrEqual(1)
  }
})

const WRITES = /\b(insert into|update|delete from)\b/i
const isNote = (statement: string) => /insert into audit_entries/i.test(statement)

test('what was written is answered from the transaction that wrote it', async () => {
  watch.watched.length = 0
  await furnish()
  // A provider is asked between two transactions.
  const writers = watch.watched.filter(
    ({ method, url }) => method !== 'GET' && !/^\/checkouts\/\w+\/payment$/.test(url),
  )
  expect(new Set(writers.map(({ url }) => url)).size).toBeGreaterThan(20)
  for (const writer of writers) {
    const written = writer.moments.findIndex(
      ({ begun, statements }) => begun && statements.some((each) => WRITES.test(each)),
    )
    if (written < 0) continue
    const { server } = writer.moments[written]!
    // What leads to an account on another server is written in the directory meanwhile.
    const after = writer.moments.slice(written + 1).filter((moment) => moment.server === server)
    const later = after.flatMap(({ statements }) => statements)
    // The note of a request that was carried out together with others is written by itself.
    expect(
      later.filter((statement) => !isNote(statement)),
      `${writer.method} ${writer.url}`,
    ).toEqual([])
  }
})
