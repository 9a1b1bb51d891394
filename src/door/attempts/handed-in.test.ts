import { expect, test } from 'vitest'
import { signedIn } from '../../../test/kit/venue/sessions.ts'
import { addTicket } from '../../../test/kit/venue/orders.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const openNight = async () => {
  const venue = await openVenue()
  const made = await venue.office.post('/admin/scanner_devices', { scanner_device: { name: 'Side door' } })
  const { id, token } = made.body
  const attempt = (clientId: string, publicId: string) => ({
    client_id: clientId,
    event_slug: 'winter-ball',
    public_id: publicId,
    scanned_at: '2026-12-15T18:03:40Z',
  })
  return {
    ...venue,
    id,
    device: venue.client(token),
    attempt,
    path: `/admin/scanner_devices/${id}/redemption_attempts`,
  }
}

test('what a revoked device could not send is handed in and judged as its own', async () => {
  const venue = await openNight()
  const { office, device, attempt } = venue
  const [sent, unsent] = [await addTicket(venue, 'winter-ball'), await addTicket(venue, 'winter-ball')]
  await device.post('/scanner/redemption_attempts', { attempts: [attempt('one', sent.publicId)] })
  await office.delete(`/admin/scanner_devices/${venue.id}`)

  const batch = {
    attempts: [attempt('one', sent.publicId), attempt('two', unsent.publicId), attempt('three', 'nobody')],
  }
  const { status, body } = await office.post(venue.path, batch)
  expect(status).toBe(200)
  expect(body.redemption_attempts).toMatchObject([
    { client_id: 'one', result: 'accepted' },
    { client_id: 'two', result: 'accepted', ticket: { public_id: unsent.publicId, redeemed: true } },
    { client_id: 'three', result: 'not_found', ticket: null },
  ])
  expect((await office.post(venue.path, batch)).body).toEqual(body)

  const log = (await office.get('/scanner/events/winter-ball/attempts')).body.attempts
  expect(log.map((each: { client_id: string; scanner: object }) => [each.client_id, each.scanner])).toEqual([
    ['three', { type: 'scanner_device', name: 'Side door' }],
    ['two', { type: 'scanner_device', name: 'Side door' }],
    ['one', { type: 'scanner_device', name: 'Side door' }],
  ])
})

test('owners and managers hand in, for devices of their own account and in good order', async () => {
  const venue = await openNight()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const batch = { attempts: [venue.attempt('one', publicId)] }
  const refused = [venue.partner, venue.reader, venue.door, venue.stranger]
  for (const each of refused) expect(await each.post(venue.path, batch)).toRefuse(401)
  expect(await venue.office.post('/admin/scanner_devices/999999/redemption_attempts', batch)).toRefuse(404)
  expect(await venue.office.post('/admin/scanner_devices/999999/redemption_attempts', {})).toRefuse(404)
  expect(await venue.office.post(venue.path, { attempts: [{ public_id: publicId }] })).toRefuse(422, {
    client_id: ["can't be blank"],
  })
  const foreign = await openVenue()
  expect(await foreign.office.post(venue.path, batch)).toRefuse(404)
  const mara = await signedIn(venue, 'mara@neue-halle.example')
  expect((await mara.post(venue.path, batch)).body.redemption_attempts).toMatchObject([{ result: 'accepted' }])
})
