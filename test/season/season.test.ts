import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEED } from '../kit/seed.ts'
import { type Installation, openInstallation } from './installation.ts'
import { findSeasonFaults } from './invariants.ts'
import { playSeason } from './play.ts'

/** A week has one event; the full run plays a year of forty. */
const EVENTS = Number(process.env['FOYER_SEASON_EVENTS'] ?? 1)
const SIZE = { buyers: 36, acts: 48, troubles: 6 }
const KINDS_OF_TROUBLE = 6
const PLAY_MS = 240_000 + EVENTS * 240_000

let installation: Installation
let season: Awaited<ReturnType<typeof playSeason>>

beforeAll(async () => {
  installation = await openInstallation()
  season = await playSeason(installation, { events: EVENTS, ...SIZE }, 'season')
}, PLAY_MS)

afterAll(() => installation?.close())

const findFaults = () => findSeasonFaults(season.house, season.nextDoor, season.happened.length)

test(
  'a season: rushes, guests, staff, vouchers and doors while everything breaks, and nothing is lost or done twice',
  { timeout: 240_000 },
  async () => {
    const { house, happened } = season
    expect(await findFaults(), `to repeat: FOYER_SEED=${SEED} FOYER_SEASON_EVENTS=${EVENTS}`).toEqual([])
    expect(new Set(happened).size).toBe(KINDS_OF_TROUBLE)
    const { rows } = await house.pool.query(
      `select status, count(*)::int as count from orders where checkout_id is not null group by 1 order by 1`,
    )
    const sold = rows.map(({ status, count }) => `${count} ${status}`).join(', ')
    console.info(
      `${EVENTS} events, orders ${sold}, ${house.entries.size} let in, ${house.mail.taken.length} mails, ${happened.length} troubles`,
    )
    expect(house.entries.size).toBeGreaterThan(EVENTS * 10)
    expect(house.attempts.size).toBeGreaterThan(0)
  },
)

test(
  'control: a count, a cent, a mail, a scan and an entry that are wrong are all found out',
  { timeout: 240_000 },
  async () => {
    const { house } = season
    const { rows } = await house.pool.query(
      `update tickets set claimed_count = claimed_count + 1 where id = (
         select min(id) from tickets where account_id = $1 and stock is null) returning id`,
      [house.accountId],
    )
    expect(rows).toHaveLength(1)
    const paid = [...house.stripe.sessions.values()].find((session) => session.payment_status === 'paid')
    paid!.amount_total += 1
    const to = house.post.promised('tickets')[0]!
    for (const mail of house.mail.taken) if (mail.to === to) mail.to = 'nobody@season.example'
    house.attempts.add('a scan that nobody has')
    const [ticket, scans] = [...house.entries][0]!
    scans.add('another door')

    const faults = (await findFaults()).join('\n')
    expect(faults).toContain('I6: counters that do not fit')
    expect(faults).toContain('foyer audit: ')
    expect(faults).toContain('money that Stripe and Foyer count differently')
    expect(faults).toContain(`tickets to ${to}: 0 instead of`)
    expect(faults).toContain('tickets to nobody@season.example, though nothing had happened')
    expect(faults).toContain('the scan a scan that nobody has was lost')
    expect(faults).toContain(`I4: ${ticket} was let in by`)
  },
)
