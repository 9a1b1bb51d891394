import { afterEach, expect, test } from 'vitest'
import { type Client, openClient } from '../kit/venue/client.ts'
import { openSecondServer, withoutSnapshots } from '../kit/database/second-server.ts'
import { openSignups } from '../kit/venue/signups.ts'
import { openWinterBall } from '../kit/venue/winter-ball.ts'
import { type Venue, openVenue } from '../kit/venue/venue.ts'

/*
 * A reader beside writers: whatever is written meanwhile, the parts of every answer fit each other. The reader's server
 * is at the end of a slow line, so that there is time to write something between any two of its statements.
 */

const READS = Number(process.env['FOYER_READS'] ?? 12)
const CONTROL_READS = 60
const WRITERS = 3
const PAUSE_MS = 8

// A test names the fields it is about.
// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

interface Reading {
  venue: Venue
  /** Three, unless they would be in each other's way. */
  writers?: number
  /** Something that changes several parts of the answer in one transaction. */
  write: (writer: number, round: number) => Promise<unknown>
  read: (office: Client) => Promise<Shown>
  /** Whether the parts of an answer are of one moment. */
  isWhole: (answer: Shown) => boolean
  /** Takes one part of the first answer and the others of the second. */
  mix: (one: Shown, other: Shown) => Shown
}

interface Kind {
  title: string
  /** A consistent read; the others are one statement, which nobody could divide. */
  isTransaction: boolean
  open: () => Promise<Reading>
}

const cents = ({ amount }: { amount: string }) => Math.round(Number(amount) * 100)
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

const bodyOf = async (asked: Promise<{ status: number; text: string; body: Shown }>): Promise<Shown> => {
  const { status, text, body } = await asked
  expect(status, text).toBe(200)
  return body
}

const adjust = (venue: Venue, key: string) => async (_writer: number, round: number) => {
  const path = `/admin/vouchers/${venue.report.vouchers[key]!.id}/adjustment`
  const direction = round % 2 === 0 ? 'credit' : 'debit'
  await bodyOf(venue.office.post(path, { direction, amount: '1.00', reason: 'x' }))
}

/** The event is called something else again and again. */
const rename = ({ app, report }: Venue) => {
  return (writer: number, round: number) =>
    app.database.pool.query(`update events set title = $2 where account_id = $1 and slug = 'winter-ball'`, [
      report.account.id,
      `Ball ${writer} ${round}`,
    ])
}

const isCalledTheSame = ({ event, tickets }: Shown) =>
  tickets.length > 0 && tickets.every(({ event_title }: Shown) => event_title === event.title)

const KINDS: Kind[] = [
  {
    title: 'a voucher and its entries',
    isTransaction: true,
    open: async () => {
      const venue = await openVenue((file) => {
        file['vouchers'] = [{ key: 'v', amount: '50.00' }]
      })
      return {
        venue,
        write: adjust(venue, 'v'),
        read: (office) => bodyOf(office.get(`/admin/vouchers/${venue.report.vouchers['v']!.id}`)),
        isWhole: ({ balance, entries }) =>
          cents(balance) === sum(entries.map(({ amount }: Shown) => cents(amount))) &&
          cents(balance) === cents(entries[0].balance_after),
        mix: (one, other) => ({ ...one, entries: other.entries }),
      }
    },
  },
  {
    title: 'the vouchers and their summary',
    isTransaction: false,
    open: async () => {
      const venue = await openVenue((file) => {
        file['vouchers'] = ['a', 'b', 'c'].map((key) => ({ key, amount: '50.00' }))
      })
      return {
        venue,
        write: (writer, round) => adjust(venue, ['a', 'b', 'c'][writer]!)(writer, round),
        read: (office) => bodyOf(office.get('/admin/vouchers')),
        isWhole: ({ summary, vouchers }) =>
          summary.count === vouchers.length &&
          cents(summary.outstanding) === sum(vouchers.map(({ balance }: Shown) => cents(balance))),
        mix: (one, other) => ({ ...one, vouchers: other.vouchers }),
      }
    },
  },
  {
    title: 'the guest list and its counts',
    isTransaction: false,
    open: async () => {
      const ball = await openWinterBall()
      await ball.party()
      return {
        venue: ball,
        write: async () => {
          const { public_id } = await ball.party({ party_size: 3 })
          await bodyOf(ball.office.post(ball.partyPath({ public_id }, '/cancellation')))
        },
        read: (office) => bodyOf(office.get(`${ball.path}/guest_list?query=ada`)),
        isWhole: ({ guest_parties, admission_count, ticket_options }) => {
          const { available_stock } = ticket_options.find(({ id }: Shown) => id === ball.tickets['ga'])
          const listed = sum(guest_parties.map(({ party_size }: Shown) => party_size))
          return listed === admission_count && available_stock + listed === 200
        },
        mix: (one, other) => ({ ...one, ticket_options: other.ticket_options }),
      }
    },
  },
  {
    title: 'a guest party and its admissions',
    isTransaction: true,
    open: async () => {
      const ball = await openWinterBall()
      const party = await ball.party({ party_size: 2 })
      const write = async (writer: number, round: number) => {
        const name = `Ada ${writer} ${round}`
        const change = { customer_name: name, attendee_names: { [party.admissions[1].public_id]: name } }
        await bodyOf(ball.office.patch(ball.partyPath(party), { guest_party: change }))
      }
      await write(0, 0)
      return {
        venue: ball,
        write,
        read: (office) => bodyOf(office.get(ball.partyPath(party))),
        isWhole: ({ customer_name, admissions }) => admissions[1].attendee_name === customer_name,
        mix: (one, other) => ({ ...one, admissions: other.admissions }),
      }
    },
  },
  {
    title: 'signup requests and how many wait',
    isTransaction: true,
    open: async () => {
      const ball = await openSignups()
      const { public_url } = await ball.link()
      return {
        venue: ball,
        write: async (writer, round) => {
          const email = `guest-${writer}-${round}@engine.example`
          expect((await ball.submit(public_url, { email })).status).toBe(201)
          expect((await ball.reject(await ball.requestOf(email))).status).toBe(200)
        },
        read: (office) => bodyOf(office.get(ball.requests)),
        isWhole: ({ requests, pending_count }) => requests.length === pending_count,
        mix: (one, other) => ({ ...one, requests: other.requests }),
      }
    },
  },
  {
    title: 'the team and who is invited',
    isTransaction: true,
    open: async () => {
      const venue = await openVenue()
      const email = 'mara@neue-halle.example'
      await venue.office.post('/admin/invitations', { invitation: { email: 'nora@partner.example', role: 'manager' } })
      return {
        venue,
        // Mara is a member, or her invitation is pending: never both, never neither.
        write: async (_writer, round) => {
          const isMember = round % 2 === 1
          await venue.app.database.pool.query(
            `with team as (
               update memberships set deactivated_at = case when $3::boolean then null else foyer_now() end
               where account_id = $1 and id = $2
             )
             update invitations set accepted_at = case when $3::boolean then foyer_now() end,
               accepted_membership_id = case when $3::boolean then $2::bigint end
             where account_id = $1`,
            [venue.report.account.id, venue.report.people[email]!.membership_id, isMember],
          )
        },
        read: (office) => bodyOf(office.get('/admin/memberships')),
        isWhole: ({ active, pending_invitations }) =>
          active.some((member: Shown) => member.user.email === email) === (pending_invitations.length === 0),
        mix: (one, other) => ({ ...one, pending_invitations: other.pending_invitations }),
      }
    },
  },
  {
    title: 'an admission’s seat and the free ones',
    isTransaction: true,
    open: async () => {
      const ball = await openWinterBall()
      const seats = ['A-1', 'A-2'].map((key) => ball.places[key]!)
      const { admissions } = await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [seats[0]] })
      const path = `/admin/order_items/${admissions[0].public_id}/seat_exchange`
      return {
        venue: ball,
        writers: 1,
        write: async (_writer, round) => {
          await bodyOf(ball.office.post(path, { seat_exchange: { event_place_id: seats[(round + 1) % 2] } }))
        },
        read: (office) => bodyOf(office.get(path)),
        // Of five seats that can be had, the one is theirs and four are free.
        isWhole: ({ current_place_id, available_places }) =>
          available_places.length === 4 && !available_places.some(({ id }: Shown) => id === current_place_id),
        mix: (one, other) => ({ ...one, available_places: other.available_places }),
      }
    },
  },
  {
    title: 'a public event and what is left',
    isTransaction: true,
    open: async () => {
      const venue = await openVenue()
      const host = new URL(venue.report.account.shop_url).host
      return {
        venue,
        write: (_writer, round) =>
          venue.app.database.pool.query(
            `update tickets set title = $2, stock = $3 where account_id = $1 and title in ('There', 'Gone', 'General admission')
             and event_id = (select id from events where account_id = $1 and slug = 'winter-ball')`,
            [venue.report.account.id, round % 2 === 0 ? 'Gone' : 'There', round % 2 === 0 ? 0 : 200],
          ),
        read: async (office) => bodyOf(office.get('/events/winter-ball', { headers: { host } })),
        isWhole: ({ tickets }) =>
          tickets.every(
            ({ title, sold_out }: Shown) => !['There', 'Gone'].includes(title) || sold_out === (title === 'Gone'),
          ),
        mix: (one, other) => ({
          tickets: one.tickets.map((ticket: Shown, n: number) => ({ ...ticket, sold_out: other.tickets[n].sold_out })),
        }),
      }
    },
  },
  {
    title: 'what the door finds and its event',
    isTransaction: false,
    open: async () => {
      const ball = await openWinterBall()
      await ball.party({ party_size: 2 })
      return {
        venue: ball,
        write: rename(ball),
        read: (office) => bodyOf(office.get('/scanner/search?q=ada&event_slug=winter-ball')),
        isWhole: isCalledTheSame,
        mix: (one, other) => ({ ...one, tickets: other.tickets }),
      }
    },
  },
  {
    title: 'a snapshot’s tickets and its event',
    isTransaction: false,
    open: async () => {
      const ball = await openWinterBall()
      await ball.party({ party_size: 2 })
      return {
        venue: ball,
        write: rename(ball),
        read: (office) => bodyOf(office.get('/scanner/events/winter-ball/snapshot')),
        isWhole: isCalledTheSame,
        mix: (one, other) => ({ ...one, tickets: other.tickets }),
      }
    },
  },
  {
    title: 'the columns of the board',
    isTransaction: false,
    open: async () => {
      const venue = await openVenue()
      const ids: string[] = []
      for (let n = 0; n < 4; n++) {
        const { body } = await venue.office.post('/admin/tasks', { task: { title: `Task ${n}` } })
        ids.push(body.id)
      }
      return {
        venue,
        write: async (writer, round) => {
          const status = ['open', 'in_progress', 'done'][round % 3]
          const body = { position: { status, before_id: null } }
          await bodyOf(venue.office.patch(`/admin/tasks/${ids[writer]}/position`, body))
        },
        read: (office) => bodyOf(office.get('/admin/tasks')),
        isWhole: ({ tasks }) =>
          tasks.length === ids.length &&
          Object.values(Object.groupBy(tasks, ({ status }: Shown) => status as string)).every((column) =>
            (column as Shown[]).every(({ position }, n) => position === n + 1),
          ),
        mix: (one, other) => ({ tasks: [...one.tasks.slice(0, 2), ...other.tasks.slice(2)] }),
      }
    },
  },
]

let closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers) await close()
  closers = []
})

const openReader = async ({ venue }: Reading, isGuarded: boolean): Promise<Client> => {
  const { origin, close } = await openSecondServer(venue.app, isGuarded ? undefined : withoutSnapshots, {
    pauseMs: PAUSE_MS,
  })
  closers.push(close)
  return openClient(origin, { token: venue.report.api_tokens['office write'] })
}

/** Writers write until everything has been read, or until something was found. */
const besideWriters = async <T>({ write, writers: count = WRITERS }: Reading, look: () => Promise<T>): Promise<T> => {
  const over = new AbortController()
  const writers = Array.from({ length: count }, async (_, writer) => {
    for (let round = 0; !over.signal.aborted; round++) await write(writer, round)
  })
  try {
    return await look()
  } finally {
    over.abort()
    await Promise.all(writers)
  }
}

const countTorn = (reading: Reading, reads: number, read: () => Promise<Shown>) =>
  besideWriters(reading, async () => {
    let torn = 0
    for (let n = 0; n < reads; n++) if (!reading.isWhole(await read())) torn++
    return torn
  })

test.each(KINDS)(
  '$title are of one moment, whatever is written meanwhile',
  async ({ open }) => {
    const reading = await open()
    const office = await openReader(reading, true)
    expect(await countTorn(reading, READS, () => reading.read(office))).toBe(0)
  },
  60_000 + READS * 500,
)

const untilTorn = (reading: Reading, read: () => Promise<Shown>) =>
  besideWriters(reading, async () => {
    for (let n = 0; n < CONTROL_READS; n++) if (!reading.isWhole(await read())) return true
    return false
  })

test.each(KINDS)('control: $title, each of another answer, do not fit', async ({ open }) => {
  const reading = await open()
  const office = await openReader(reading, true)
  const mixed = async () => reading.mix(await reading.read(office), await reading.read(office))
  expect(await untilTorn(reading, mixed)).toBe(true)
})

test.each(KINDS.filter(({ isTransaction }) => isTransaction))(
  'control: $title, read by one statement after the other, do not fit',
  async ({ open }) => {
    const reading = await open()
    const office = await openReader(reading, false)
    expect(await untilTorn(reading, () => reading.read(office))).toBe(true)
  },
)
