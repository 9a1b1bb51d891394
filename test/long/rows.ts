/** One property of Foyer and the tests that prove it, in pieces that can be run one after the other. */
export interface Row {
  id: string
  what: string
  /** How much of it the full run does, in its own unit. */
  target: number
  unit: string
  /** How much one piece does. */
  piece: number
  /** Less than this cannot show anything. */
  least?: number
  files: string[]
  /** Only tests whose titles match. */
  titles?: string
  /** How a piece is told how much to do. */
  knobs: (count: number) => Record<string, string>
  /** Run once before the pieces: the same with its guard switched off, which must lose. */
  control?: { files: string[]; titles?: string }
}

const BACKUPS = 'test/faults/backup.test.ts'
const DOOR = 'test/races/door.test.ts'
const DOOR_KEYS = 'test/races/door-keys.test.ts'
const EVENING = 'test/faults/door-evening.test.ts'
const ENTRIES = 'test/races/door-entries.test.ts'
const EDITING = 'test/races/editing-parts.test.ts'
const FAILOVER = 'test/faults/failover.test.ts'
const KILLS = 'test/faults/door.test.ts'
const KILLED_MOVES = 'test/shards/killed-moves.test.ts'
const LOAD = 'test/races/one-accounts-load.test.ts'
const MOVES = 'test/shards/moves-under-doors.test.ts'
const PLACE_CONTROLS = 'test/races/place-controls.test.ts'
const READS = 'test/races/reads.test.ts'
const PROVIDER = 'test/faults/payment-provider.test.ts'
const SEASON = 'test/season/season.test.ts'
const SHOP = 'test/faults/shop.test.ts'
const SIGNUP = 'test/races/signup.test.ts'
const SIGNUP_CONTROLS = 'test/races/signup-controls.test.ts'
const VOUCHERS = 'test/races/vouchers.test.ts'

const once = () => ({})
const knob = (name: string) => (count: number) => ({ [name]: String(count) })

export const ROWS: Row[] = [
  {
    id: 'R1',
    what: 'one ticket, 200 redeemers',
    target: 10_000,
    unit: 'rounds',
    piece: 100,
    files: [DOOR, DOOR_KEYS],
    titles: 'one ticket, many redeemers|one ticket, many keys',
    knobs: (count) => ({ FOYER_DOOR_ROUNDS: String(count), FOYER_REDEEMERS: '200' }),
    control: {
      files: [DOOR, DOOR_KEYS],
      titles: 'control: without the lock and the guards|control: without the guard of the key',
    },
  },
  {
    id: 'R2',
    what: 'sync replayed, reordered, doubled',
    target: 1_000_000,
    unit: 'attempts',
    piece: 50_000,
    files: [DOOR],
    titles: 'a batch that is sent again',
    knobs: knob('FOYER_REPLAYED_ATTEMPTS'),
    control: { files: [DOOR], titles: 'control: without the device' },
  },
  {
    id: 'R3',
    what: 'permuted batches of several devices',
    target: 10_000,
    unit: 'batches',
    piece: 800,
    files: [DOOR],
    titles: 'permuted batches',
    knobs: knob('FOYER_BATCHES'),
    control: { files: [DOOR], titles: 'control: locked in the order' },
  },
  {
    id: 'R4',
    what: 'database killed in the middle of a batch',
    target: 200,
    unit: 'kills',
    piece: 10,
    files: [KILLS],
    titles: 'the database is killed',
    knobs: knob('FOYER_KILLS'),
    control: { files: [KILLS], titles: 'control: a door that asks again without a key' },
  },
  {
    id: 'R5',
    what: 'server killed at random points',
    target: 200,
    unit: 'kills',
    piece: 10,
    files: [KILLS],
    titles: 'the server is killed',
    knobs: knob('FOYER_KILLS'),
    control: { files: [KILLS], titles: 'control: a door that asks again without a key' },
  },
  {
    id: 'failover',
    what: 'primary killed, standby promoted, in the middle of a night',
    target: 50,
    unit: 'failovers',
    piece: 5,
    files: [FAILOVER],
    titles: 'the primary is killed and the standby promoted',
    knobs: knob('FOYER_FAILOVERS'),
    control: { files: [FAILOVER], titles: 'control: without synchronous_standby_names' },
  },
  {
    id: 'R6',
    what: 'last places of everything at once',
    target: 100_000,
    unit: 'attempts',
    piece: 2_000,
    files: ['test/races/inventory.test.ts'],
    titles: 'however many ask for the last places',
    knobs: knob('FOYER_RACE_ATTEMPTS'),
    control: { files: [PLACE_CONTROLS] },
  },
  {
    id: 'R7',
    what: 'one seat, many takers; seat swaps',
    target: 100_000,
    unit: 'attempts',
    piece: 2_000,
    files: ['test/races/seats.test.ts'],
    titles: 'one seat goes to one|people who change seats',
    knobs: knob('FOYER_RACE_ATTEMPTS'),
    control: { files: [PLACE_CONTROLS] },
  },
  {
    id: 'R8',
    what: 'decisions and rotations of sign-ups',
    target: 10_000,
    unit: 'rounds',
    piece: 500,
    files: [SIGNUP],
    titles: 'however many approve the same|of an approval and a rejection|a submission that meets a rotation',
    knobs: knob('FOYER_RACE_ROUNDS'),
    control: { files: [SIGNUP_CONTROLS] },
  },
  {
    id: 'R9',
    what: 'voucher ledger under random operations',
    target: 1_000_000,
    unit: 'operations',
    piece: 20_000,
    files: [VOUCHERS],
    titles: 'whatever happens to five vouchers',
    knobs: knob('FOYER_LEDGER_OPERATIONS'),
    control: { files: [VOUCHERS], titles: 'without its guard money would be lost' },
  },
  {
    id: 'R10',
    what: 'import applied twice, killed, resumed',
    target: 1_000,
    unit: 'rounds',
    piece: 50,
    files: [VOUCHERS],
    titles: 'an import that is submitted|a worker that is killed',
    knobs: knob('FOYER_IMPORT_ROUNDS'),
    control: { files: [VOUCHERS], titles: 'without the guard of its rows' },
  },
  {
    id: 'R11',
    what: 'owners removing each other',
    target: 10_000,
    unit: 'rounds',
    piece: 500,
    files: ['test/races/owners.test.ts'],
    titles: 'owners who remove each other|without the lock, the constraint',
    knobs: knob('FOYER_ROUNDS'),
    control: { files: ['test/races/owners.test.ts'], titles: 'control' },
  },
  {
    id: 'R12',
    what: 'mail server away, workers killed',
    target: 30,
    unit: 'minutes',
    piece: 30,
    files: ['test/faults/mail-down.test.ts', 'test/faults/killed-worker.test.ts'],
    knobs: knob('FOYER_MAIL_DOWN_MINUTES'),
  },
  {
    id: 'R13',
    what: 'disk full, database away or silent, slow clients, bad far ends',
    target: 20,
    unit: 'rounds',
    piece: 2,
    files: ['database-away', 'database-silent', 'full-disk', 'slow-clients', 'far-ends'].map(
      (name) => `test/faults/${name}.test.ts`,
    ),
    knobs: (count) => ({ FOYER_FAULT_ROUNDS: String(count), FOYER_SILENCE: 'full', FOYER_SLOW_CLIENTS: '2000' }),
  },
  {
    id: 'R14',
    what: 'every endpoint × every caller',
    target: 1,
    unit: 'walk',
    piece: 1,
    files: ['test/access-matrix.test.ts'],
    knobs: once,
  },
  {
    id: 'R15',
    what: 'every endpoint fed nonsense',
    target: 100_000,
    unit: 'requests',
    piece: 5_000,
    files: ['test/fuzz'],
    knobs: knob('FOYER_FUZZ_REQUESTS'),
  },
  {
    id: 'R16',
    what: 'markup in every text field, in a browser',
    target: 1,
    unit: 'walk',
    piece: 1,
    files: ['test/browser/markup.test.ts', 'test/browser/task-markup.test.ts', 'src/rich-text/clean-output.test.ts'],
    knobs: once,
  },
  {
    id: 'R17',
    what: 'buyers, expiry, messages of the provider, refunds and kills at once',
    target: 100_000,
    unit: 'checkouts',
    piece: 5_000,
    least: 80,
    files: [SHOP],
    titles: 'buyers, expiry, messages of the provider',
    knobs: knob('FOYER_SHOP_CHECKOUTS'),
    control: { files: [SHOP], titles: 'control' },
  },
  {
    id: 'R18',
    what: 'payment provider away, slow or talking nonsense for ten minutes',
    target: 20_000,
    unit: 'checkouts',
    piece: 1_000,
    least: 40,
    files: [PROVIDER],
    titles: 'for ten minutes',
    knobs: knob('FOYER_OUTAGE_CHECKOUTS'),
    control: { files: [PROVIDER], titles: 'control' },
  },
  {
    id: 'R19',
    what: 'an evening at the door: ten phones, lines cut, phones killed, the server restarted',
    target: 5_000,
    unit: 'guests',
    piece: 5_000,
    files: [EVENING],
    titles: 'an evening at the door',
    knobs: (count) => ({ FOYER_EVENING_GUESTS: String(count), FOYER_EVENING_PHONES: '10' }),
    control: { files: [EVENING], titles: 'control' },
  },
  {
    id: 'entries',
    what: 'one admission let in, out and back by many at once, online and by sync',
    target: 2_000,
    unit: 'rounds',
    piece: 200,
    files: [ENTRIES],
    titles: 'has one legal history',
    knobs: knob('FOYER_ENTRY_ROUNDS'),
    control: { files: [ENTRIES], titles: 'control' },
  },
  {
    id: 'R20',
    what: 'one account’s load: slow webhooks and pushes, bursts of mail',
    target: 10,
    unit: 'rounds',
    piece: 1,
    files: [LOAD],
    titles: 'slow webhooks and pushes|a burst of mails',
    knobs: () => ({ FOYER_LOAD: 'full' }),
    control: { files: [LOAD], titles: 'control: in one line for everybody' },
  },
  {
    id: 'R21',
    what: 'a reader beside writers, every kind of answer that has parts',
    target: 2_000,
    unit: 'reads of each',
    piece: 200,
    files: [READS],
    titles: 'are of one moment',
    knobs: knob('FOYER_READS'),
    control: { files: [READS], titles: 'control' },
  },
  {
    id: 'R22',
    what: 'backups in the middle of an evening, restored elsewhere and audited',
    target: 100,
    unit: 'backups',
    piece: 10,
    files: [BACKUPS],
    titles: 'a backup in the middle of an evening',
    knobs: knob('FOYER_BACKUPS'),
    control: { files: [BACKUPS], titles: 'control' },
  },
  {
    id: 'moved',
    what: 'generated venues exported, loaded elsewhere and exported again',
    target: 1_000,
    unit: 'venues',
    piece: 100,
    files: ['src/venue-file/round-trip.test.ts'],
    titles: 'whatever a venue is like',
    knobs: knob('FOYER_MOVED_VENUES'),
  },
  {
    id: 'R23',
    what: 'stock, areas and places edited while guests claim them',
    target: 100_000,
    unit: 'attempts',
    piece: 5_000,
    files: [EDITING],
    titles: 'whatever is edited while guests come and go|a place is given away or blocked',
    knobs: knob('FOYER_EDITING_ATTEMPTS'),
    control: { files: [EDITING], titles: 'control' },
  },
  {
    id: 'R24',
    what: 'moves of an account from server to server under doors that scan',
    target: 100,
    unit: 'moves',
    piece: 20,
    files: [MOVES],
    titles: 'nobody is let in twice and nobody is forgotten while an account moves',
    knobs: knob('FOYER_MOVES'),
    control: { files: [MOVES], titles: 'control' },
  },
  {
    id: 'killed-moves',
    what: 'moves of an account that are killed, under doors that scan',
    target: 100,
    unit: 'kills',
    piece: 10,
    files: [KILLED_MOVES],
    titles: 'a move that is killed at any moment',
    knobs: knob('FOYER_KILLED_MOVES'),
    control: { files: [KILLED_MOVES], titles: 'control' },
  },
  {
    id: 'signup',
    what: 'quotas, companions and addresses of sign-ups',
    target: 1_000,
    unit: 'rounds',
    piece: 100,
    files: [SIGNUP],
    knobs: knob('FOYER_RACE_ROUNDS'),
    control: { files: [SIGNUP_CONTROLS] },
  },
  {
    id: 'season',
    what: 'a year of a house: forty events, everybody who works there, and everything that breaks',
    target: 40,
    unit: 'events',
    piece: 40,
    files: [SEASON],
    titles: 'a season: ',
    knobs: knob('FOYER_SEASON_EVENTS'),
    control: { files: [SEASON], titles: 'control' },
  },
  {
    id: 'model',
    what: 'random nights against a model of the house',
    target: 500,
    unit: 'nights',
    piece: 25,
    least: 8,
    files: ['test/model'],
    knobs: knob('FOYER_MODEL_RUNS'),
  },
]
