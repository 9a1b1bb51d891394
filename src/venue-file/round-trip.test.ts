import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyVenue, saidOf } from '../../test/kit/venue/any-venue.ts'
import { exportOf, loadAndExport } from '../../test/kit/venue/moved-venue.ts'
import { neueHalle } from '../../test/kit/venue/neue-halle.ts'
import { openSignups } from '../../test/kit/venue/signups.ts'
import { PNG } from '../../test/kit/venue/uploads.ts'
import { type OpenApp, openTestApp, openVenue, theApp } from '../../test/kit/venue/venue.ts'
import { openWinterBall } from '../../test/kit/venue/winter-ball.ts'

/** The installation that venues move to. */
let elsewhere: OpenApp

beforeAll(async () => {
  elsewhere = await openTestApp()
})
afterAll(() => elsewhere.close())

const RUNS = Number(process.env['FOYER_MOVED_VENUES'] ?? 8)

test('Neue Halle moves and is the same', async () => {
  const here = await theApp()
  const first = await loadAndExport(here, JSON.stringify(neueHalle('moving')))
  expect(await loadAndExport(elsewhere, first)).toBe(first)
})

test('the demo venue moves and is the same', async () => {
  const here = await theApp()
  const file = path.join(import.meta.dirname, 'demo-venue.json')
  const first = await loadAndExport(here, await readFile(file, 'utf8'), { folder: path.dirname(file) })
  expect(await loadAndExport(elsewhere, first)).toBe(first)
})

test('pictures move in the folder images beside the file, and those left behind are told by their place', async () => {
  const here = await theApp()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-pictures-'))
  await writeFile(path.join(folder, 'ball.png'), PNG)
  const file = neueHalle('with-pictures')
  Object.assign(file['events'][0], {
    image: 'ball.png',
    background_image: 'https://pictures.example/a.jpg',
    gallery_images: ['ball.png'],
    performers: [{ name: 'Low Tides', image: 'ball.png' }],
  })
  const first = await loadAndExport(here, JSON.stringify(file), { folder })
  const [ball] = JSON.parse(first).events
  expect(ball.image).toMatch(/^images\/[0-9a-f]{64}\.png$/)
  expect(ball).toMatchObject({
    background_image: 'https://pictures.example/a.jpg',
    gallery_images: [ball.image],
    performers: [{ image: ball.image }],
  })

  await expect(loadAndExport(elsewhere, first, { folder })).rejects.toThrow(
    `events[0].image: there is no file "${ball.image}" beside the venue file.`,
  )
  await cp(path.join(here.dataFolder, 'images'), path.join(folder, 'images'), { recursive: true })
  expect(await loadAndExport(elsewhere, first, { folder })).toBe(first)
  await rm(folder, { recursive: true })
})

test('the example of every section moves and is the same', async () => {
  const here = await theApp()
  const first = await loadAndExport(here, await readFile(path.join(import.meta.dirname, 'example-venue.json'), 'utf8'))
  expect(await loadAndExport(elsewhere, first)).toBe(first)
})

test('a venue in the middle of its night moves with everything that has happened', async () => {
  const ball = await openSignups((event, file) => {
    event['orders'] = [
      {
        key: 'o',
        customer_name: 'Rita',
        customer_email: 'rita@guest.example',
        items: [{ ticket: 'ga' }, { ticket: 'ga' }],
      },
    ]
    file['vouchers'] = [{ key: 'v', amount: '50.00' }]
    file['voucher_products'] = [{ key: 'p', name: 'Any', pricing_type: 'fixed', fixed_amount: '5.00' }]
  })
  const { office, door, report } = ball
  const items = report.events['winter-ball']!.orders['o']!.items
  expect((await door.post(`/scanner/tickets/${items[0]!.check_in_code}/redemption`)).status).toBe(200)
  const party = await ball.party({ party_size: 3, attendee_names: { 1: 'Łukasz' } })
  // One of them has a cigarette.
  expect((await office.patch(ball.path, { event: { reentry: true } })).status).toBe(200)
  const smoker = `/scanner/tickets/${party.admissions[1].check_in_code}`
  expect((await door.post(`${smoker}/redemption`)).status).toBe(200)
  expect((await door.post(`${smoker}/exit`)).status).toBe(200)
  const third = `${ball.path}/guest_parties/${party.public_id}/admissions/${party.admissions[2].public_id}/cancellation`
  expect((await office.post(third)).status).toBe(200)
  const cancelled = await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-1']] })
  expect((await office.post(`${ball.path}/guest_parties/${cancelled.public_id}/cancellation`)).status).toBe(200)
  await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-1']] })
  const form = await ball.link({ max_companions: 4, asks_questions: true, companion_names_field: 'optional' })
  await ball.submit(form.public_url, { email: 'ada@engine.example', companions: '1', companion_names: ['Bob'] })
  await ball.approve(await ball.requestOf('ada@engine.example'))
  const page = new URL(await ball.ownPage('ada@engine.example')).pathname
  await ball.sendJson(`${page}/companions`, { guest_addition: { companions: 1, companion_names: ['Cid'] } })
  const voucher = report.vouchers['v']!
  await office.post(`/admin/vouchers/${voucher.id}/adjustment`, {
    direction: 'credit',
    amount: '5.00',
    reason: 'Sorry',
  })
  await office.post('/admin/voucher_imports', { csv: 'code,amount\nIMPORTED0001,5.00\n' })
  const task = (await office.post('/admin/tasks', { task: { title: 'Coats', event_slug: 'winter-ball' } })).body
  await office.post(`/admin/tasks/${task.id}/comments`, { comment: { body: '<p>Now</p>' } })
  await office.post('/admin/api_tokens', { api_token: { description: 'Site', permission: 'read', kind: 'account' } })
  await office.post('/admin/api_tokens', { api_token: { description: 'Site', permission: 'read', kind: 'account' } })

  const first = await exportOf(ball, report.account.subdomain)
  const again = await loadAndExport(elsewhere, first)
  expect(again).toBe(first)

  const [order] = JSON.parse(first).events[0].orders
  expect(order.items).toMatchObject([
    { ...items[0], redeemed_at: expect.any(String) },
    { ...items[1], admission_status: 'active' },
  ])
  expect(JSON.parse(first).events[0].guest_parties[0].admissions[1]).toMatchObject({
    redeemed_at: expect.any(String),
    left_at: expect.any(String),
  })
  expect(JSON.parse(first).events[0].guest_parties.map((each: { status: string }) => each.status)).toEqual([
    'paid',
    'booking_cancelled',
    'paid',
    'paid',
  ])
})

test('parties that got another ticket after some of them were cancelled move with the ticket they have', async () => {
  const ball = await openWinterBall()
  const { tickets, places, areas } = ball
  const seated = (...keys: string[]) => ({
    ticket_id: tickets['seat'],
    event_place_ids: keys.map((key) => places[key]!),
  })
  const release = async (party: { public_id: string; admissions: { public_id: string }[] }, position: number) => {
    const path = ball.partyPath(party, `/admissions/${party.admissions[position]!.public_id}/cancellation`)
    expect((await ball.office.post(path)).status).toBe(200)
  }
  const change = async (party: { public_id: string }, to: object) => {
    const body = { public_ids: [party.public_id], ...to }
    expect((await ball.office.post(`${ball.path}/guest_parties/ticket_changes`, body)).body.done_count).toBe(1)
  }
  const standing = await ball.party({ customer_name: 'Ada', ...seated('A-1', 'A-2') })
  await release(standing, 1)
  await change(standing, { ticket_id: tickets['floor'], event_capacity_pool_id: areas['front'] })
  const leaderless = await ball.party({ customer_name: 'Bo', party_size: 3 })
  await release(leaderless, 0)
  await change(leaderless, {
    ticket_id: tickets['seat'],
    event_place_ids_by_party: { [leaderless.public_id]: [places['A-4'], places['A-5']] },
  })

  const first = await exportOf(ball, ball.report.account.subdomain)
  expect(JSON.parse(first).events[0].guest_parties).toMatchObject([
    { ticket: 'floor', standing_area: 'front', admissions: [{}, { place: 'A-2', admission_status: 'cancelled' }] },
    { ticket: 'seat', places: ['A-4', 'A-5'], admissions: [{ admission_status: 'cancelled' }, {}, {}] },
  ])
  expect(await loadAndExport(elsewhere, first)).toBe(first)
})

test('vouchers that were corrected, imports that came to nothing and texts that lost a tag move and are the same', async () => {
  const { app, office, report, workOffJobs } = await openVenue((file) => {
    const adjustments = [
      { amount: '-12.00', reason: 'More than there was' },
      { amount: '5.00', reason: 'Until then' },
    ]
    file['vouchers'] = [{ key: 'by-hand', amount: '10.00', adjustments }]
  })
  const { body: voucher } = await office.post('/admin/vouchers', { voucher: { amount: '10.00' } })
  const corrections = [
    { direction: 'debit', amount: '4.00', reason: 'Mistake' },
    { direction: 'credit', amount: '3.00', reason: 'Sorry' },
    { direction: 'debit', amount: '9.00', reason: 'Spent elsewhere' },
  ]
  for (const each of corrections) await office.post(`/admin/vouchers/${voucher.id}/adjustment`, each)

  const csv = 'code,amount\nIMPORTED0002,5.00\n'
  const imports = []
  for (let n = 0; n < 3; n++) imports.push((await office.post('/admin/voucher_imports', { csv })).body.id)
  for (const id of imports.slice(1)) {
    await office.post(`/admin/voucher_imports/${id}/application`)
    await workOffJobs()
  }
  expect((await office.get('/admin/voucher_imports')).body.voucher_imports).toMatchObject([
    { status: 'failed' },
    { status: 'applied' },
    { status: 'analyzed' },
  ])
  const description = 'Call <name>\nbefore noon'
  await office.post('/admin/tasks', { task: { title: 'Coats', description } })

  const first = await exportOf({ app }, report.account.subdomain)
  const said = JSON.parse(first)
  const amountsOf = ({ adjustments }: { adjustments: { amount: string }[] }) => adjustments.map(({ amount }) => amount)
  expect(said.vouchers.slice(0, 2).map(amountsOf)).toEqual([
    ['5.00', '-12.00'],
    ['-4.00', '3.00', '-9.00'],
  ])
  expect(said.voucher_imports).toEqual([])
  expect(await loadAndExport(elsewhere, first)).toBe(first)
})

test('whatever a venue is like, its export says all of it, and it moves and is the same', async () => {
  const here = await theApp()
  let count = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constant(null).chain(() => anyVenue(`v${process.pid}-${count++}`)),
      async (file) => {
        const first = await loadAndExport(here, JSON.stringify(file))
        const said = JSON.parse(first)
        // Parties of approved signups come after those of the file itself.
        for (const event of said.events) event.guest_parties.length = 4
        expect(said).toMatchObject(saidOf(file))
        expect(await loadAndExport(elsewhere, first)).toBe(first)
      },
    ),
    { numRuns: RUNS, seed: Number(process.env['FOYER_SEED'] ?? 20260301), endOnFailure: true },
  )
})
