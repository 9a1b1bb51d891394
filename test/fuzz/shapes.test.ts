import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { addTicket } from '../kit/venue/orders.ts'
import { openVenue } from '../kit/venue/venue.ts'

test('a head of a request that is too large is refused in the words of the house', async () => {
  const { origin } = await openVenue()
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /admin/events?x=${'y'.repeat(40_000)} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)

  const [head, body] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 431 /)
  expect(JSON.parse(body!)).toEqual({ errors: { base: ['The head of the request is too large'] } })
})

test('a key too long for the door is malformed, because 422 always brings a ticket along', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const path = `/scanner/tickets/${publicId}/redemption`
  const redeem = (key: string) => venue.door.post(path, undefined, { headers: { 'idempotency-key': key } })

  expect(await redeem('k'.repeat(256))).toRefuse(400, 'Idempotency-Key is too long (maximum is 255 characters)')
  expect((await redeem('k'.repeat(255))).status).toBe(200)
})
