import { expect, test } from 'vitest'
import { type WinterBall, openWinterBall } from '../../../test/kit/venue/winter-ball.ts'

const summariesOf = async (ball: WinterBall) => (await ball.office.get(`${ball.path}/guest_party_summaries`)).body

test('a summary says of each live party what a list shows, and counts what the guest list counts', async () => {
  const ball = await openWinterBall()
  const press = await ball.party({
    customer_name: 'Petra Press',
    party_size: 3,
    delivery_email: 'petra@press.example',
    customer_company: 'Hafenkurier',
    staff_note: 'Side entrance',
    attendee_names: { 1: 'Paul Photo' },
  })
  const cancelled = await ball.party({ customer_name: 'Ada' })
  await ball.office.post(ball.partyPath(cancelled, '/cancellation'))
  await ball.letIn(press.admissions[0])
  const { guest_parties: parties, ...counts } = await summariesOf(ball)
  const { expected_count, arrived_count, admission_count } = await ball.guestList()
  expect(counts).toEqual({ expected_count, arrived_count, admission_count })
  expect(parties).toEqual([
    {
      public_id: press.public_id,
      display_number: press.display_number,
      customer_name: 'Petra Press',
      delivery_email: 'petra@press.example',
      customer_company: 'Hafenkurier',
      staff_note: 'Side entrance',
      ticket_id: press.ticket_id,
      ticket_title: press.ticket_title,
      arrival_state: 'partially_arrived',
      arrived_count: 1,
      party_size: 3,
      companion_names: ['Paul Photo'],
      place_labels: [],
    },
  ])
})

test('summaries stand in the order of the guest list, with seats by person and each standing area once', async () => {
  const ball = await openWinterBall()
  const places = [ball.places['A-2'], ball.places['A-1']]
  await ball.party({ customer_name: 'zoe', ticket_id: ball.tickets['seat'], event_place_ids: places })
  const standing = { ticket_id: ball.tickets['floor'], event_capacity_pool_id: ball.areas['front'], party_size: 3 }
  await ball.party({ customer_name: 'yan', ...standing })
  for (const customer_name of ['Émile', 'ada', 'Eve', 'Ada']) await ball.party({ customer_name })
  const list = await ball.guestList()
  const { guest_parties: parties } = await summariesOf(ball)
  const idsOf = (each: { public_id: string }[]) => each.map(({ public_id }) => public_id)
  expect(idsOf(parties)).toEqual(idsOf(list.guest_parties))
  const labels = list.guest_parties.at(-1).admissions.map((each: { place_label: string }) => each.place_label)
  expect(parties.at(-1)).toMatchObject({ customer_name: 'zoe', place_labels: labels })
  expect(parties.at(-2)).toMatchObject({ customer_name: 'yan', place_labels: ['Front'] })
})

test('when one of a party is cancelled, neither their name nor their seat is told any more', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ customer_name: 'Ada', party_size: 2, attendee_names: { 1: 'Bob' } })
  await ball.office.post(ball.partyPath(party, `/admissions/${party.admissions[1].public_id}/cancellation`))
  const { guest_parties: parties } = await summariesOf(ball)
  expect(parties[0]).toMatchObject({ party_size: 1, companion_names: [], arrival_state: 'expected' })
})
