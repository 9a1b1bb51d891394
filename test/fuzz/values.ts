import fc from 'fast-check'

/** Part of a request that stands for something of the venue; which one is settled when the request is sent. */
export interface Reference {
  $from: string
  n: number
}

export const from = (pool: string): fc.Arbitrary<Reference> =>
  fc.record({ $from: fc.constant(pool), n: fc.nat({ max: 1000 }) })

export const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && '$from' in value

const nested = (depth: number): unknown =>
  depth === 0 ? 'x' : depth % 2 ? [nested(depth - 1)] : { a: nested(depth - 1) }

/** Stands in a text for a number that JSON.stringify would not write, such as one beyond all floats. */
export const LITERAL = '\u{e000}literal:'
const literal = (text: string) => LITERAL + text

const TEXTS = [
  '',
  ' ',
  '\t\n',
  'x',
  '0',
  '-1',
  '1.5',
  'NaN',
  'Infinity',
  '1e5',
  '0x10',
  '٣',
  'null',
  'true',
  '[]',
  '{}',

  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '😀',
  '👩‍👩‍👧‍👦',
  '\u202eevil',
  '\u200b',
  '\ufeff',
  '\r\nBcc: x@y.example',
  'é'.normalize('NFD'),
  "'; drop table people; --",
  '%',
  '_',
  '\\',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '=1+1',
  '../../etc/passwd',
  'winter-ball',
  '2026-02-30',
  '9999-12-31',
  '0000-00-00',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-12-15T18:03:40Z',
  '1970-01-01',
  'a@b',
  'a@b.example',
  `${'a'.repeat(64)}@${'b'.repeat(190)}.example`,
  '9'.repeat(25),
  '1'.repeat(300),
  '12.345',
  '-0.00',
  '1,50',
  '99999999999999.99',
  '0.001',
  '1e2',
]

const NUMBERS = [0, -0, 1, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e308, -1e308, 5e-324, 1e21, 20, 10_000]

/** What nobody should send. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...TEXTS) },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      [[]],
      [null],
      [{}],
      { a: 1 },
      { 0: 'x' },
      { length: 3 },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      ...['1e999', '-1e999', '1e-999', '-0', '0.1e1', '123456789012345678901234567890'].map(literal),
    ),
  },
  { weight: 2, arbitrary: fc.integer({ min: 5, max: 80 }).map(nested) },
  { weight: 2, arbitrary: fc.integer({ min: 200, max: 20_000 }).map((length) => 'ü'.repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 21, max: 1200 }).map((length) => Array.from({ length }, (_, n) => n)) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Something that fits into an address, well or badly written. */
export const junkSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('%', '%zz', '%E0%A4%A', '%00', '%ED%A0%80', '..', '%2e%2e', '%2F', '%25', '.', '-1', '0', '1e9'),
  fc.constantFrom(
    '9'.repeat(19),
    '9'.repeat(40),
    'null',
    'undefined',
    '__proto__',
    'constructor',
    'new',
    'stream',
    'reading',
  ),
  fc.constantFrom(
    'x'.repeat(500),
    'x'.repeat(513),
    'a.json',
    '.json',
    'winter-ball.json',
    '%F0%9F%98%80',
    "'",
    '%22',
    ';',
    '*',
    '1',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map(percentEncode),
)

/** Like encodeURIComponent, which throws at half a character. */
export function percentEncode(text: string): string {
  return Array.from(Buffer.from(text, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte)
    return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
  }).join('')
}

const money = fc.constantFrom('0.01', '1.00', '10.00', '25.50', '50', '100.00', '2500.00', '0.00', '100000.00')
const moment = fc.constantFrom(
  '2031-12-31',
  '2031-12-31T23:00:00Z',
  '2031-06-01T10:00:00+02:00',
  '2026-12-15T18:03:40.123Z',
)
const html = fc.constantFrom<unknown>(
  '<p>500 pieces, <strong>blue</strong></p>',
  'plain words',
  '<ul><li>one<li>two</ul><script>x</script><a href="javascript:x">y</a>',
  '<action-text-attachment sgid="nothing"></action-text-attachment>',
)

const answers = fc.dictionary(
  fc.constantFrom('$question:0', '$question:1', '$question:2', '999999', 'x'),
  fc.oneof(fc.constantFrom<unknown>('Friends', 'true', '1', 'vegan'), junk),
  { maxKeys: 3 },
)

/** What a field of this name is usually given, where its schema alone would not lead to anything of the venue. */
export const WORDS: Record<string, fc.Arbitrary<unknown>> = {
  ticket_id: from('ticket'),
  event_place_id: from('place'),
  event_place_ids: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(from('place'), { maxLength: 3 }) },
  ),
  event_capacity_pool_id: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: from('area') }),
  event_ids: fc.array(from('event'), { maxLength: 2 }),
  assignee_id: from('membership'),
  voucher_product_id: fc.oneof(fc.constant(null), from('voucher product')),
  before_id: fc.oneof(fc.constant(null), from('task')),
  event_slug: from('slug'),
  public_id: from('admission'),
  client_id: fc.oneof(fc.uuid(), fc.constantFrom('one', 'two')),
  form_id: from('link'),
  actor_id: from('membership'),
  credential_id: from('credential'),
  pairing_secret: from('pairing secret'),
  image: fc.oneof(fc.constant(null), from('picture')),
  lock_version: fc.oneof(fc.constant(null), fc.nat({ max: 3 })),
  delivery_email: fc.oneof(fc.constant(null), from('email')),
  email: from('email'),
  attendee_names: fc.dictionary(fc.constantFrom('0', '1', '2', '99'), fc.constantFrom('Zoë', '王小明', 'عمر'), {
    maxKeys: 2,
  }),
  custom_field_answers: answers,
  attendee_custom_field_answers: fc.dictionary(fc.constantFrom('0', '1', '2'), answers, { maxKeys: 2 }),
  billing_country: fc.constantFrom('DE', 'fr', 'XX', null),
  description: html,
  body: html,
  checksum: fc.constant('XUFAKrxLKna5cZ2REBfFkg=='),
  url: fc.constantFrom(
    'https://books.example/foyer',
    'https://8.8.8.8/x',
    'http://localhost/',
    'https://[::1]/',
    'ftp://x',
  ),
  endpoint: fc.constantFrom(
    'https://push.example.com/send/abc',
    'https://push.example.com/send/def',
    'http://127.0.0.1/',
  ),
  kinds: fc.subarray(['voucher.issued', 'voucher.redeemed', 'voucher.blocked', 'nonsense'], { maxLength: 2 }),
  csv: fc.constantFrom(
    'code,amount\nABCDEFGHJK24,25.00\n',
    'code,amount,expires_at,note,product_id\nABCD-EFGH-JK23,25.00,2031-12-31,From the old shop,\n',
    'amount;code\n"1,50";X\n',
    'code,amount\n"unclosed\n',
  ),
  reason: fc.constantFrom('Goodwill', 'Übertrag'),
  since: fc.constantFrom('2026-01-01T00:00:00Z', '2031-01-01', 'never'),
  from: moment,
  to: moment,
  expires_at: fc.oneof(fc.constant(null), moment),
  scanned_at: moment,
  due_on: fc.constantFrom('2031-01-31', null),
  // Of the tools of an assistant, which call things by their names.
  event_title: fc.constantFrom('Winter Ball', 'winter-ball', 'winter', 'Nothing', 'Draft Show'),
  ticket: fc.constantFrom('General admission', 'Standing', 'Balcony seat', 'Nothing'),
  task_id: from('task'),
  voucher_id: from('voucher'),
  party_id: from('party'),
  // Of the pages without a description: signing up, signing in.
  companions: fc.integer({ min: 0, max: 4 }),
  password: fc.constantFrom('correct horse battery', 'wrong', 'another long password'),
  membership_id: from('membership'),
  ...Object.fromEntries(
    ['amount', 'fixed_amount', 'purchase_price', 'minimum_amount', 'maximum_amount'].map((name) => [name, money]),
  ),
}
