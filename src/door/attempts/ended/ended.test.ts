import { expect, test } from 'vitest'
import { checkAll } from '../../../../test/kit/database/consistency.ts'
import { addTicket } from '../../../../test/kit/venue/orders.ts'
import { signedIn } from '../../../../test/kit/venue/sessions.ts'
import { openVenue } from '../../../../test/kit/venue/venue.ts'
import type { App } from '../../../access/app.ts'

const SYNC = '/scanner/redemption_attempts'
const STATS = '/scanner/events/winter-ball/stats'
const MISTAKE = { reason: 'Scanned by mistake' }

const openDoor = async ({ reentry = false } = {}) => {
  const venue = await openVenue((file) => {
    file['events'].find((each: { slug: string }) => each.slug === 'winter-ball').reentry = reentry
  })
  const made = await venue.office.post('/admin/scanner_devices', { scanner_device: { name: 'Side door' } })
  const { publicId, code } = await addTicket(venue, 'winter-ball')
  const path = (what: string) => `/scanner/tickets/${publicId}/${what}`
  const log = async () => (await venue.office.get('/scanner/events/winter-ball/attempts')).body.attempts
  const attempt = (clientId: string, more: object = {}) => ({
    client_id: clientId,
    event_slug: 'winter-ball',
    public_id: publicId,
    ...more,
  })
  const sync = async (...attempts: object[]) =>
    (await venue.door.post(SYNC, { attempts })).body.redemption_attempts as { result: string; message: string }[]
  const arrived = async () => (await venue.door.get(STATS)).body.arrived
  return { ...venue, sideDoor: venue.client(made.body.token), publicId, code, path, log, attempt, sync, arrived }
}

/** Tickets that a test wrote straight into the database are in no counter of the inventory. */
const findFaults = async (app: App) => (await checkAll(app)).filter(({ what }) => what === 'entries')

const resultsOf = (attempts: { result: string }[]) => attempts.map(({ result }) => result)

test('a device takes its last entry back; both stay in the log and the counts go back', async () => {
  const { door, path, log, arrived, app } = await openDoor()
  await door.post(path('redemption'))
  expect(await arrived()).toBe(1)
  const annulled = await door.post(path('annulment'), MISTAKE)
  expect(annulled).toMatchObject({
    status: 200,
    body: { redeemed: false, redeemable: true, blocked_reason: null, redeemed_at: null },
  })
  expect(annulled.body).not.toHaveProperty('inside')
  expect(await arrived()).toBe(0)
  expect(await log()).toMatchObject([
    { kind: 'annulment', reason: 'Scanned by mistake', result: 'accepted', scanner: { name: 'Door 1' } },
    { kind: 'entry', reason: null, result: 'accepted' },
  ])

  expect(await door.post(path('redemption'))).toMatchObject({ status: 200, body: { redeemed: true } })
  expect(await door.post(path('redemption'))).toRefuse(422, 'Already redeemed')
  expect(await arrived()).toBe(1)
  expect(await door.post(path('annulment'), MISTAKE)).toMatchObject({ status: 200 })
  expect(await findFaults(app)).toEqual([])
})

test('a device annuls neither what another did, nor late, nor what never was', async () => {
  const { door, sideDoor, office, path, moveClock, log } = await openDoor()
  const redeemed = { redeemed: true, redeemable: false }
  expect(await door.post(path('annulment'), MISTAKE)).toMatchObject({
    status: 422,
    body: { error: 'Not redeemed', ticket: { redeemed: false } },
  })
  await door.post(path('redemption'))
  expect(await sideDoor.post(path('annulment'), MISTAKE)).toMatchObject({
    status: 422,
    body: { error: 'Redeemed by another device', ticket: redeemed },
  })
  await moveClock('16 minutes')
  expect(await door.post(path('annulment'), MISTAKE)).toMatchObject({
    status: 422,
    body: { error: 'Too late: redeemed more than 15 minutes ago', ticket: redeemed },
  })
  await moveClock('2 days')
  expect((await office.post(path('annulment'), MISTAKE)).body).toMatchObject({ redeemed: false, redeemable: true })
  expect((await log()).map((each: { kind: string; result: string }) => `${each.kind} ${each.result}`)).toEqual([
    'annulment accepted',
    'annulment blocked',
    'annulment blocked',
    'entry accepted',
    'annulment blocked',
  ])
})

test('owners, managers and the co-organizers of the event annul any entry; scanners their own', async () => {
  const venue = await openDoor()
  const scanner = venue.client(venue.report.api_tokens['sami write'])
  const supervisors = [
    await signedIn(venue, 'olga@neue-halle.example'),
    await signedIn(venue, 'mara@neue-halle.example'),
    venue.partner,
  ]
  for (const supervisor of supervisors) {
    await venue.door.post(venue.path('redemption'))
    expect(await scanner.post(venue.path('annulment'), MISTAKE)).toRefuse(422, 'Redeemed by another device')
    expect(await supervisor.post(venue.path('annulment'), MISTAKE)).toMatchObject({ status: 200 })
  }
  await scanner.post(venue.path('redemption'))
  expect(await scanner.post(venue.path('annulment'), MISTAKE)).toMatchObject({ status: 200 })

  const elsewhere = await addTicket(venue, 'spring-night')
  await venue.door.post(`/scanner/tickets/${elsewhere.publicId}/redemption`)
  expect(await venue.partner.post(`/scanner/tickets/${elsewhere.publicId}/annulment`, MISTAKE)).toRefuse(404)
  expect(await venue.reader.post(venue.path('annulment'), MISTAKE)).toRefuse(401)
})

test('an annulment is made once by its client_id, which stands for nothing else', async () => {
  const { door, path, code, log } = await openDoor()
  const once = { ...MISTAKE, client_id: 'undo-1' }
  await door.post(path('redemption'))
  expect(await door.post(`/scanner/tickets/${code}/annulment`, once)).toMatchObject({ status: 200 })
  await door.post(path('redemption'))
  expect(await door.post(path('annulment'), once)).toMatchObject({ status: 200, body: { redeemed: true } })
  expect(await log()).toHaveLength(3)
  const headers = { 'idempotency-key': 'undo-1' }
  expect(await door.post(path('redemption'), undefined, { headers })).toRefuse(
    409,
    'This Idempotency-Key was used for another kind of attempt',
  )
  const both = await Promise.all(
    Array.from({ length: 6 }, () => door.post(path('annulment'), { ...MISTAKE, client_id: 'undo-2' })),
  )
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await log()).toHaveLength(4)
})

test.each([undefined, '', '  ', 7, 'x'.repeat(256), 'a\0b'])('%j is no reason', async (reason) => {
  const { door, path } = await openDoor()
  await door.post(path('redemption'))
  const refused = await door.post(path('annulment'), { reason })
  expect(refused).toRefuse(422, 'An annulment needs a reason of up to 255 characters')
  expect(refused.body.ticket).toMatchObject({ redeemed: true })
  expect(await door.post(path('annulment'), { ...MISTAKE, client_id: 'x'.repeat(256) })).toRefuse(400)
  expect(await door.post('/scanner/tickets/nobody/annulment', MISTAKE)).toRefuse(404)
})

test('guests go out and come in again where the event allows it; their redemption stays the first', async () => {
  const { door, sideDoor, path, moveClock, arrived, publicId, app } = await openDoor({ reentry: true })
  expect(await door.post(path('exit'), {})).toRefuse(422, 'Nobody is inside with this ticket')
  const { redeemed_at: first } = (await door.post(path('redemption'))).body
  await moveClock('1 hour')
  const out = await sideDoor.post(path('exit'), { client_id: 'out-1' })
  const outside = { redeemed: true, redeemable: true, blocked_reason: null, redeemed_at: first, inside: false }
  expect(out).toMatchObject({ status: 200, body: outside })
  expect(await sideDoor.post(path('exit'), { client_id: 'out-1' })).toMatchObject({ status: 200, body: outside })
  expect(await sideDoor.post(path('exit'))).toRefuse(422, 'Nobody is inside with this ticket')
  expect(await sideDoor.post(path('annulment'), MISTAKE)).toRefuse(422, 'Nobody is inside with this ticket')
  expect(await arrived()).toBe(1)

  await moveClock('1 hour')
  const back = await door.post(path('redemption'), undefined, { headers: { 'idempotency-key': 'back-1' } })
  expect(back).toMatchObject({ status: 200, body: { redeemed_at: first, redeemable: false } })
  expect(await door.post(path('redemption'))).toRefuse(422, 'Already redeemed')
  const snapshot = (await door.get('/scanner/events/winter-ball/snapshot?with=parties')).body
  expect(snapshot.tickets).toMatchObject([{ public_id: publicId, inside: true }])

  expect((await door.post(path('annulment'), MISTAKE)).body).toMatchObject({ redeemed_at: first, redeemable: true })
  expect(await door.post(path('redemption'))).toMatchObject({ status: 200, body: { redeemed_at: first } })
  expect(await arrived()).toBe(1)
  expect(await findFaults(app)).toEqual([])
})

test('without re-entry nobody goes out', async () => {
  const { door, path } = await openDoor()
  await door.post(path('redemption'))
  expect(await door.post(path('exit'), {})).toMatchObject({
    status: 422,
    body: { error: 'This event has no re-entry', ticket: { redeemed: true } },
  })
})

test('a night of coming and going is synced in its order, and sent again it lets nobody in twice', async () => {
  const { sync, attempt, arrived, app, log } = await openDoor({ reentry: true })
  const night = [
    attempt('1', { kind: 'exit' }),
    attempt('2'),
    attempt('3', { kind: 'entry' }),
    attempt('4', { kind: 'exit' }),
    attempt('5'),
    attempt('6', { kind: 'annulment', ...MISTAKE }),
    attempt('7', { kind: 'annulment' }),
    attempt('8'),
    attempt('9', { kind: 'exit', public_id: 'nobody' }),
  ]
  const told = await sync(...night)
  expect(resultsOf(told)).toEqual([
    'blocked',
    'accepted',
    'conflict',
    'accepted',
    'accepted',
    'accepted',
    'blocked',
    'accepted',
    'not_found',
  ])
  expect(told[6]!.message).toBe('An annulment needs a reason of up to 255 characters')
  expect(resultsOf(await sync(...night))).toEqual(resultsOf(told))
  expect(resultsOf(await sync(...night.toReversed()))).toEqual(resultsOf(told).toReversed())
  expect(await arrived()).toBe(1)
  expect(await log()).toHaveLength(9)
  expect(await findFaults(app)).toEqual([])
})

test('an unknown kind refuses the batch whole', async () => {
  const { door, attempt, arrived } = await openDoor()
  const attempts = [attempt('1'), attempt('2', { kind: 'party' })]
  expect(await door.post(SYNC, { attempts })).toRefuse(422, 'kind is not included in the list')
  expect(await arrived()).toBe(0)
})

test('the database lets nobody in twice and takes nothing back without the log', async () => {
  const { door, path, publicId, app } = await openDoor()
  await door.post(path('redemption'))
  const { pool } = app.database
  const change = (what: string) => pool.query(`update admissions set ${what} where public_id = $1`, [publicId])
  await expect(change('redeemed_at = null')).rejects.toThrow('a redemption is written once')
  await expect(change('redeemed_at = null, ended_entries = 1')).rejects.toThrow('ended by an exit or an annulment')
  await expect(
    pool.query(`insert into redemption_attempts (account_id, event_id, credential_id, admission_id, event_slug, public_id,
        result, message, scanned_at, synced_at, accepted_at, entry_number)
      select account_id, event_id, credential_id, admission_id, event_slug, public_id, result, message, scanned_at,
        synced_at, accepted_at, entry_number from redemption_attempts where public_id = '${publicId}'`),
  ).rejects.toThrow('a_ticket_is_accepted_once')
  await change('left_at = redeemed_at')
  expect(await findFaults(app)).toMatchObject([
    { what: 'entries', kept: 'redeemed 0 ended', logged: 'redeemed inside 0 ended' },
  ])
})
