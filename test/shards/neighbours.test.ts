import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MoveOptions, moveAccount } from '../../src/shards/move-account.ts'
import { linkTo } from '../kit/venue/sessions.ts'
import { type OpenApp, type Venue, openTestApp, openVenueAt } from '../kit/venue/venue.ts'

const SLUG = 'winter-ball'
const GUESTS = 12

let house: OpenApp

beforeAll(async () => {
  house = await openTestApp({ shards: ['two', 'three'] })
})

afterAll(() => house.close())

const openAt = (n: number, change?: Parameters<typeof openVenueAt>[1]) =>
  openVenueAt({ ...house, app: house.apps[n]! }, change)

/** What happens at one step of a move to the server "three". */
const whileMoving = async (venue: Venue, at: string, work: () => Promise<void>) => {
  let isDone = false
  const onStep: MoveOptions['onStep'] = async (step) => {
    if (step !== at) return
    await work()
    isDone = true
  }
  await moveAccount(house.apps[0]!, { subdomain: venue.report.account.subdomain, to: 'three' }, { onStep, graceMs: 10 })
  expect(isDone).toBe(true)
}

const addGuests = async (venue: Venue): Promise<string[]> => {
  const tickets: string[] = []
  for (let n = 0; n < GUESTS; n++) {
    const party = { customer_name: `Guest ${n}`, ticket_id: venue.report.events[SLUG]!.tickets['ga'] }
    const { body } = await venue.office.post(`/admin/events/${SLUG}/guest_parties`, { guest_party: party })
    tickets.push(body.admissions[0].public_id)
  }
  return tickets
}

const scanAll = (venue: Venue, tickets: readonly string[]) =>
  tickets.map(async (ticket) => (await venue.door.post(`/scanner/events/${SLUG}/tickets/${ticket}/redemption`)).status)

test('scans that came together with those of an account that moves are answered as ever', async () => {
  const [moving, staying, third] = [await openAt(1), await openAt(1), await openAt(1)]
  const [theirs, own, others] = [await addGuests(moving), await addGuests(staying), await addGuests(third)]
  await whileMoving(moving, 'copy', async () => {
    // Twice: what is let in at once, and what has to be judged, go different ways.
    for (const status of [200, 422]) {
      const [refused, ...answered] = await Promise.all(
        [scanAll(moving, theirs), scanAll(staying, own), scanAll(third, others)].map((all) => Promise.all(all)),
      )
      expect(refused).toEqual(theirs.map(() => 503))
      for (const statuses of answered) expect(statuses).toEqual(own.map(() => status))
    }
  })
  expect(await Promise.all(scanAll(moving, theirs))).toEqual(theirs.map(() => 200))
})

test('somebody who works for an account that arrives is let into one that is there already, and nobody waits', async () => {
  const email = 'nina@both.example'
  const moving = await openAt(1, (file) => {
    file['people'].push({ name: 'Nina Neu', email, password: 'ein gutes Passwort', role: 'manager' })
  })
  const staying = await openAt(2)
  await staying.office.post('/admin/invitations', { invitation: { email, role: 'manager' } })
  await house.workOffJobs()
  const path = await linkTo(house, email)
  await whileMoving(moving, 'commit', async () => {
    const page = await staying.stranger.get(path, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Join Neue Halle')
  })
})

const lastUseOf = async (venue: Venue) => {
  const { rows } = await house.apps[1]!.database.pool.query<{ at: Date | null }>(
    `select max(last_used_at) as at from credentials where account_id = $1 and description = 'office write'`,
    [venue.report.account.id],
  )
  return rows[0]!.at
}

test('when a token was last used is written down although another account of the same server moves', async () => {
  const [moving, staying] = [await openAt(1), await openAt(1)]
  await house.apps[0]!.directory.recordUses()
  await whileMoving(moving, 'copy', async () => {
    for (const { office } of [moving, staying]) expect((await office.get('/admin/events')).status).toBe(200)
    await house.apps[0]!.directory.recordUses().catch(() => {})
  })
  await house.apps[0]!.directory.recordUses()
  expect(await lastUseOf(staying)).not.toBeNull()
})
