import fc from 'fast-check'
import type { VenueFile } from './neue-halle.ts'

/*
 * Venue files of every kind, each of them valid: names in every script, every way to sell a ticket, parties, orders,
 * signups and vouchers in every state.
 */

const SCRIPTS = [
  'Zoë Ångström',
  'Дарья Ильина',
  'Ελένη',
  '王小明',
  'さくら',
  '김민준',
  'فاطمة الزهراء',
  'דוד בן־גוריון',
  'प्रिया',
  'สมชาย',
  'Ñandú 🦤',
  'e\u0301te\u0301',
  '<b>&"\'',
  '=1+1',
  'a\u202eb',
]

const name = () =>
  fc.tuple(fc.constantFrom(...SCRIPTS), fc.string({ unit: 'grapheme', maxLength: 12 })).map(([known, more]) =>
    `${known} ${more}`
      .trim()
      .replaceAll(/\0|\s+/g, ' ')
      .trim(),
  )
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const line = () => maybe(name())
const moment = (least = '2020-01-01', most = '2039-12-31') =>
  fc.date({ min: new Date(least), max: new Date(most), noInvalidDate: true }).map((date) => date.toISOString())
const past = () => moment('2020-01-01', '2026-01-01')
const price = () => fc.nat(50_000).map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`)
const key = () => fc.constantFrom('a', '1', '2', 'Reihe 7', '__proto__x', 'ключ', '10')
const STATUSES = ['paid', 'unpaid', 'refunded', 'cancelled', 'disputed'] as const
const ADMISSION_STATUSES = ['active', 'active', 'cancelled', 'refunded', 'refund_pending'] as const

const TICKETS = [
  { key: 'ga', title: 'General admission', price: '25.00', stock: 200 },
  { key: '7', title: 'Standing', inventory_kind: 'standing', color: '#be185d' },
  { key: 'seat', title: 'Seat', price: '45.50', inventory_kind: 'places', max_per_order: 4 },
  { key: 'crew', title: 'Crew', hidden: true, access_codes: ['zeta', 'alpha'], features: ['Food', 'Drink'] },
  { key: 'four', title: 'Table', kind: 'GroupTicket', group_size: 4 },
]

const QUESTIONS = [
  { key: '2', label: 'Heard of us?', type: 'select', scope: 'order', options: ['Friends', 'Radio'] },
  { key: '1', label: 'House rules', type: 'checkbox', scope: 'order', required: true, complete_later: true },
  { key: 'days', label: 'Days', type: 'multi_select', scope: 'order', options: ['Fri', 'Sat'], help_text: 'Any' },
  { key: 'diet', label: 'Diet', type: 'text', scope: 'attendee' },
  { key: 'born', label: 'Born', type: 'date', scope: 'attendee' },
]

const orderAnswers = () =>
  fc.record(
    {
      '2': fc.constantFrom('Friends', 'Radio'),
      '1': fc.boolean(),
      days: fc.subarray(['Fri', 'Sat'], { minLength: 1 }),
    },
    { requiredKeys: [] },
  )
const attendeeAnswers = () => fc.record({ diet: name(), born: fc.constant('1990-02-28') }, { requiredKeys: [] })

const SEATS = ['A-1', 'A-2', 'A-3', 'A-4', 'W-1', 'W-1C']

const places = () =>
  fc
    .array(fc.boolean(), { minLength: 2, maxLength: 2 })
    .map((blocked) => [
      ...['A-1', 'A-2', 'A-3', 'A-4'].map((seat) => ({ key: seat, label: `Seat ${seat}`, row: 'A', ticket: 'seat' })),
      ...blocked.map((is, n) => ({ key: `B-${n}`, label: `B ${n}`, section: 'Гала', ticket: 'seat', blocked: is })),
      { key: 'W-1', label: 'Wheelchair', ticket: 'seat', accessibility: 'wheelchair', pair: 'W-1C' },
      { key: 'W-1C', label: 'Companion', ticket: 'seat', accessibility: 'companion', pair: 'W-1' },
    ])

/** An admission that is no more leaves its place to somebody else. */
const item = (seat: string | null) =>
  fc
    .record({
      ticket: seat ? fc.constant('seat') : fc.constantFrom('ga', '7', 'crew'),
      attendee_name: line(),
      admission_status: fc.constantFrom(...ADMISSION_STATUSES),
      redeemed_at: maybe(past()),
      left_at: maybe(past()),
      custom_field_answers: attendeeAnswers(),
    })
    .map(({ redeemed_at, left_at, ...each }) => ({
      ...each,
      ...(seat && { place: seat }),
      ...(each.ticket === '7' && { standing_area: 'front' }),
      ...(each.admission_status !== 'cancelled' && redeemed_at && { redeemed_at, ...(left_at && { left_at }) }),
    }))

const order = (seat: string | null, n: number) =>
  fc.record(
    {
      key: fc.constant(`order ${n}`),
      customer_name: name(),
      customer_email: maybe(fc.constant(`Buyer${n}@Guest.example`)),
      customer_phone: maybe(fc.constant('+49 40 123')),
      customer_company: line(),
      billing_street: line(),
      billing_country: maybe(fc.constantFrom('DE', 'JP')),
      custom_field_answers: orderAnswers(),
      status: fc.constantFrom(...STATUSES),
      archived: fc.boolean(),
      created_at: past(),
      total: maybe(price()),
      items: fc
        .array(item(null), { minLength: 1, maxLength: 3 })
        .chain((items) => (seat ? item(seat).map((seated) => [...items, seated]) : fc.constant(items))),
    },
    { requiredKeys: ['key', 'customer_name', 'items', 'created_at'] },
  )

const party = (seats: string[], n: number) =>
  fc
    .record({
      customer_name: name(),
      size: fc.integer({ min: 1, max: 4 }),
      staff_note: line(),
      delivery_email: maybe(fc.constant(`guest${n}@guest.example`)),
      send_to_creator: fc.boolean(),
      standing: fc.boolean(),
      companion: line(),
      custom_field_answers: orderAnswers(),
      answers: attendeeAnswers(),
    })
    .map(({ size, standing, companion, answers, ...each }) => ({
      key: `party ${n}`,
      ...each,
      ...(seats.length > 0 ? { ticket: 'seat', places: seats } : { ticket: standing ? '7' : 'ga', party_size: size }),
      ...(seats.length === 0 && standing && { standing_area: 'front' }),
      ...(companion && { attendee_names: { 1: companion } }),
      attendee_custom_field_answers: { 0: answers },
    }))

const request = (n: number) =>
  fc
    .record({
      link: fc.constantFrom('friends', 'floor'),
      name: name(),
      email: fc.constant(`signup${n}@guest.example`),
      company: line(),
      companions: fc.constantFrom(0, 1, 2),
      companion_names: fc.array(name(), { maxLength: 2 }),
      status: fc.constantFrom('pending', 'approved', 'rejected'),
      custom_field_answers: orderAnswers(),
      created_at: past(),
    })
    .chain((each) =>
      fc.nat(2).map((waiting) => ({ ...each, ...(each.status === 'approved' && { waiting_companions: waiting }) })),
    )

const event = (n: number) =>
  fc
    .record({
      title: name(),
      description: fc.oneof(name(), fc.constant('<p>Dance <strong>until</strong> morning.</p>')),
      venue: maybe(fc.constant('halle')),
      starts_at: moment('2021-01-01', '2038-01-01'),
      capacity: maybe(fc.constantFrom(500, 1000)),
      minimum_age: maybe(fc.nat(99)),
      published: fc.boolean(),
      listed: fc.boolean(),
      cancelled: fc.boolean(),
      archived: fc.boolean(),
      image: maybe(fc.constant('https://pictures.example/a.jpg?x=ü')),
      places: places(),
      shuffled: fc.shuffledSubarray(SEATS.slice(0, 4), { minLength: 4 }),
      open: fc.boolean(),
      performers: fc.array(
        fc.record({ name: name(), genre: line(), links: maybe(fc.constant({ website: 'https://band.example' })) }),
        { maxLength: 3 },
      ),
      faq_items: fc.array(fc.record({ question: name(), answer: name() }), { maxLength: 2 }),
    })
    .chain(({ shuffled, open, ...each }) =>
      fc
        .record({
          orders: fc.tuple(order(shuffled[0]!, 0), order(null, 1), order(shuffled[1]!, 2)),
          guest_parties: fc.tuple(party([], 0), party([shuffled[2]!], 1), party(['W-1', 'W-1C'], 2), party([], 3)),
          signup_requests: fc.tuple(request(0), request(1), request(2)),
          quantity: fc.integer({ min: 1, max: 3 }),
        })
        .map(({ quantity, ...lists }) => ({
          slug: `night-${n}`,
          ...each,
          tickets: TICKETS,
          standing_areas: [
            { key: 'front', name: 'Front', capacity: 80, blocked: 3, tickets: ['7'] },
            { key: 'back', name: 'Back', capacity: 10, open, tickets: ['7'] },
          ],
          questions: QUESTIONS,
          ...lists,
          signup_links: [
            { key: 'friends', ticket: 'ga', max_companions: 3, companion_names_field: 'optional' },
            { key: 'floor', name: 'Böden', ticket: '7', standing_area: 'front', approval_mode: 'automatic' },
          ],
          holds: [
            { ticket: 'ga', quantity, expires_at: '+P1D' },
            { ticket: 'seat', places: [shuffled[3]!], expires_at: '+P2D' },
          ],
        })),
    )

const voucher = (n: number) =>
  fc
    .record({
      amount: fc.integer({ min: 100, max: 500 }),
      redeemed: fc.nat(30),
      reserved: fc.nat(20),
      credit: fc.nat(50),
      debit: fc.nat(20),
      refunded: fc.nat(10),
      product: maybe(fc.constantFrom('fifty', 'any')),
      source: fc.constantFrom('shop', 'manual', 'import'),
      expires_at: maybe(moment()),
      created_at: past(),
      note: line(),
      blocked_reason: line(),
      bought: fc.boolean(),
      status: fc.constantFrom('pending', 'paid', 'failed', 'cancelled', 'partially_refunded', 'refunded'),
    })
    .map(({ amount, redeemed, reserved, credit, debit, refunded, bought, status, ...each }) => ({
      key: `voucher ${n}`,
      ...each,
      amount: `${amount}.00`,
      redeemed: `${redeemed}.50`,
      reserved: `${reserved}.00`,
      adjustments: [
        ...(credit
          ? [{ amount: `${credit}.00`, reason: 'Кредит', actor: 'Olga', created_at: '2025-01-01T00:00:00Z' }]
          : []),
        ...(debit ? [{ amount: `-${debit}.25`, reason: 'Mistake' }] : []),
      ],
      ...(bought && {
        purchase: {
          status,
          paid_amount: '10.00',
          ...(status === 'partially_refunded' && { refunded_amount: '5.00', refunded_credit: `${refunded}.00` }),
          customer_name: 'Bea',
          customer_email: 'bea@guest.example',
          message: 'Alles Gute',
          deliveries: [{ audience: 'buyer', recipient_name: 'Bea', recipient_email: 'bea@guest.example' }],
        },
      }),
    }))

const task = (n: number) =>
  fc
    .record({
      title: name(),
      description: maybe(
        fc.oneof(name(), fc.constant('<p>One<br>two</p><ul><li>x</li></ul>'), fc.constant('a < b\nc')),
      ),
      status: fc.constantFrom('open', 'in_progress', 'done'),
      due_on: maybe(fc.constant('2030-01-31')),
      event: maybe(fc.constant('night-0')),
      assignee: maybe(fc.constant('owner')),
      archived: fc.boolean(),
      comments: fc.array(
        name().map((body) => ({ body, created_at: '2025-05-05T05:05:05.555Z' })),
        { maxLength: 2 },
      ),
    })
    .map((each) => ({ ...each, title: `${each.title} ${n}`, archived: each.archived && each.status === 'done' }))

/** A venue; `mark` keeps its people and its shop apart from those of other venues. */
export const anyVenue = (mark: string): fc.Arbitrary<VenueFile> => {
  const address = (who: string) => `${who}.${mark}@halle.example`
  return fc
    .record({
      name: name(),
      owner: name(),
      partner: name(),
      isPublished: fc.boolean(),
      venue: fc.record({ name: name(), city: line(), postal_code: line() }),
      events: fc.tuple(event(0), event(1)),
      vouchers: fc.tuple(voucher(0), voucher(1), voucher(2)),
      tasks: fc.tuple(task(0), task(1), task(2), task(3)),
      token: name(),
      invited: fc.constantFrom('manager', 'promoter'),
      program: key(),
    })
    .map((each) => ({
      account: {
        name: each.name,
        subdomain: `halle-${mark}`,
        shop_published: each.isPublished,
        custom_domains: [`b.${mark}.example`, `a.${mark}.example`],
        reply_to_email: address('reply'),
      },
      people: [
        { name: 'Gone', email: address('gone'), role: 'owner', state: 'deactivated' },
        { name: each.owner, email: address('owner'), role: 'owner' },
        { name: each.partner, email: address('partner'), role: 'co_organizer', events: ['night-1', 'night-0'] },
      ],
      invitations: [
        {
          email: address('new'),
          role: each.invited,
          created_at: '-P1D',
          ...(each.invited === 'promoter' && { promoter_programs: [{ name: each.program, code: 'X1' }] }),
        },
      ],
      api_tokens: [
        { description: 'office write', permission: 'write' },
        { description: `read ${each.token}`, permission: 'read', revoked: true },
        { description: 'partner', permission: 'read', person: address('partner') },
      ],
      devices: [{ name: 'Door 1' }, { name: 'Lost', revoked: true }],
      venues: [{ key: 'halle', ...each.venue, country: 'DE', latitude: 53.5461, longitude: -9.9661 }],
      events: each.events,
      tasks: each.tasks.map(({ assignee, ...task }) => ({ ...task, ...(assignee && { assignee: address(assignee) }) })),
      voucher_products: [
        {
          key: 'fifty',
          name: 'Fifty',
          pricing_type: 'fixed',
          fixed_amount: '50.00',
          purchase_price: '45.00',
          tax_rate: '7.00',
        },
        {
          key: 'any',
          name: 'Any',
          pricing_type: 'flexible',
          minimum_amount: '1.00',
          maximum_amount: '900.00',
          archived: true,
        },
      ],
      vouchers: each.vouchers,
      voucher_imports: [
        { key: 'waiting', csv: 'code,amount,note\nIMPORTED0001,5.00,"a, ""b"""\n,7.00,\n' },
        { key: 'stuck', csv: 'amount\n1.00\n', status: 'applying', applying_since: '-PT2H' },
      ],
    }))
}

/**
 * What the export of such a venue says at least. Things that only the file has a name for are called otherwise there,
 * lists without an order are sorted, rich text is cleaned, and what stands for nobody is dropped.
 */
export const saidOf = (given: VenueFile): VenueFile => {
  const file = JSON.parse(JSON.stringify(given)) as VenueFile
  file['account'].custom_domains.sort()
  for (const person of file['people']) person.events?.sort()
  for (const each of file['invitations']) delete each.created_at
  for (const each of file['tasks']) {
    delete each.description
    for (const comment of each.comments) delete comment.body
  }
  for (const each of file['events']) {
    for (const ticket of each.tickets) ticket.access_codes?.sort()
    for (const order of each.orders) {
      delete order.key
      if (order.customer_email) order.customer_email = order.customer_email.toLowerCase()
      for (const thing of [order, ...order.items]) dropEmpty(thing, 'custom_field_answers')
    }
    for (const party of each.guest_parties) sayParty(party)
    for (const link of each.signup_links) link.key = { friends: 'link-1', floor: 'link-2' }[link.key as string]
    for (const request of each.signup_requests) {
      request.link = { friends: 'link-1', floor: 'link-2' }[request.link as string]
      delete request.companion_names
      dropEmpty(request, 'custom_field_answers')
    }
    for (const hold of each.holds) delete hold.expires_at
  }
  for (const [n, product] of file['voucher_products'].entries()) product.key = `product-${n + 1}`
  for (const voucher of file['vouchers']) {
    delete voucher.key
    if (voucher.product) voucher.product = { fifty: 'product-1', any: 'product-2' }[voucher.product as string]
    for (const each of voucher.adjustments) delete each.created_at
  }
  file['voucher_imports'] = file['voucher_imports'].map(({ status = 'analyzed' }) => ({ status }))
  return file
}

const sayParty = (party: VenueFile) => {
  delete party['key']
  const size = party['places']?.length ?? party['party_size']
  if (size < 2) delete party['attendee_names']
  if (party['send_to_creator']) delete party['delivery_email']
  dropEmpty(party, 'custom_field_answers')
  dropEmpty(party['attendee_custom_field_answers'], '0')
  dropEmpty(party, 'attendee_custom_field_answers')
}

const dropEmpty = (thing: VenueFile, key: string) => {
  if (thing[key] && Object.keys(thing[key]).length === 0) delete thing[key]
}
