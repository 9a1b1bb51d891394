import * as http from 'node:http'
import { createClient } from './generated/client'
import * as api from './generated'

const { ORIGIN, SHOP, READ, WRITE, DOOR, EVENT } = process.env as Record<string, string>
const reader = createClient({ baseUrl: ORIGIN!, auth: READ! })
const writer = createClient({ baseUrl: ORIGIN!, auth: WRITE! })
const door = createClient({ baseUrl: ORIGIN!, auth: DOOR! })

/** Not every machine knows that names beneath localhost are its own. */
const fetchAtHome = async (input: Parameters<typeof fetch>[0]) => {
  const { url } = input as Request
  return new Promise<Response>((resolve, reject) => {
    http
      .get(url, { lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const headers = { 'content-type': answer.headers['content-type'] ?? '' }
          resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode!, headers }))
        })
      })
      .on('error', reject)
  })
}
const shop = createClient({ baseUrl: SHOP!, fetch: fetchAtHome })
const path = { event_slug: EVENT! }

const check = (what: string, isRight: boolean) => {
  if (!isRight) throw new Error(`TypeScript: not so: ${what}`)
  console.log(`TypeScript: ${what}`)
}

const main = async () => {
  const events = await api.listEvents({ client: reader })
  check(
    'a list is read',
    events.data!.events.some(({ slug }) => slug === EVENT),
  )

  const list = await api.getGuestList({ client: reader, path, query: { query: 'a' } })
  check('a query is sent', list.data!.query === 'a')

  const ticketId = list.data!.ticket_options.find((each) => each.inventory_kind === 'ga')!.id
  const body = { guest_party: { customer_name: 'Zoë Lindqvist', ticket_id: ticketId, party_size: 2 } }
  const refused = await api.createGuestParty({ client: reader, path, body })
  check('a refusal is typed', refused.response!.status === 401 && refused.error!.errors['base']!.length === 1)

  const headers = { 'Idempotency-Key': 'typescript-client' }
  const made = await api.createGuestParty({ client: writer, path, body, headers })
  check('something is created', made.response!.status === 201 && made.data!.party_size === 2)

  const snapshot = await api.getSnapshot({ client: door, path })
  check('a snapshot is read', snapshot.data!.tickets.length > 0)

  const identifier = made.data!.admissions[0]!.public_id
  const redeemed = await api.redeemTicket({ client: door, path: { identifier } })
  check('a ticket is redeemed', redeemed.data!.redeemable === false)

  const csv = await api.exportVouchers({ client: writer, parseAs: 'text' })
  check('a file is read', csv.data!.startsWith('code,'))

  const programme = await api.listPublicEvents({ client: shop })
  check('a shop is asked at its own address', programme.data!.events.length > 0)
}

void main()
