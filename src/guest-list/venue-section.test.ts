import { expect, test } from 'vitest'
import { openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import type { VenueFile } from '../../test/kit/venue/neue-halle.ts'

type Loaded = Record<
  string,
  { guest_parties: Record<string, { public_id: string; admissions: { public_id: string; check_in_code: string }[] }> }
>

test('parties of a venue file are as if they had been added by hand, but nothing is mailed', async () => {
  const ball = await openWinterBall((event) => {
    event['guest_parties'] = [
      {
        key: 'press',
        customer_name: 'Petra Press',
        ticket: 'ga',
        party_size: 2,
        delivery_email: 'petra@press.example',
        staff_note: 'Side entrance',
        billing_country: 'de',
        custom_field_answers: { heard: 'Radio', terms: true },
        attendee_custom_field_answers: { 1: { diet: 'vegan' } },
        attendee_names: { 1: 'Paul Photo' },
      },
      { key: 'seats', customer_name: 'Sigrid', ticket: 'seat', places: ['A-2', 'A-1'] },
      {
        key: 'front',
        customer_name: 'Fred',
        ticket: 'floor',
        standing_area: 'front',
        party_size: 3,
        send_to_creator: true,
      },
    ]
  })
  const printed = (ball.report.events as Loaded)['winter-ball']!.guest_parties
  const { heard, terms, diet } = ball.questions as Record<'heard' | 'terms' | 'diet', number>

  const { body: press } = await ball.office.get(ball.partyPath(printed['press']!))
  expect(press).toMatchObject({
    customer_name: 'Petra Press',
    party_size: 2,
    delivery_email: 'petra@press.example',
    staff_note: 'Side entrance',
    creator_name: 'Olga Owner',
    ticket_title: 'General admission',
    custom_field_answers: { [heard]: 'Radio', [terms]: true },
    billing_address: { country: 'DE' },
  })
  expect(
    press.admissions.map(({ public_id, check_in_code }: { public_id: string; check_in_code: string }) => ({
      public_id,
      check_in_code,
    })),
  ).toEqual(printed['press']!.admissions)
  expect(press.admissions[1]).toMatchObject({ attendee_name: 'Paul Photo', custom_field_answers: { [diet]: 'vegan' } })

  const { body: seats } = await ball.office.get(ball.partyPath(printed['seats']!))
  expect(seats.admissions.map((each: { place_label: string }) => each.place_label)).toEqual([
    'Row A Seat 2',
    'Row A Seat 1',
  ])
  const { body: front } = await ball.office.get(ball.partyPath(printed['front']!))
  expect(front.delivery_email).toBe('olga@neue-halle.example')
  expect((await ball.guestList()).admission_count).toBe(7)
  expect(await ball.queuedMails()).toEqual([])
})

test.each<[object, string]>([
  [{ ticket: 'nothing' }, 'events[0].guest_parties[0].ticket: there is no ticket "nothing".'],
  [{ ticket: 'four' }, 'events[0].guest_parties[0].ticket: is not included in the list.'],
  [{ party_size: 21 }, 'events[0].guest_parties[0].party_size: must be less than or equal to 20.'],
  [{ ticket: 'seat', places: ['A-1', 'A-1'] }, 'events[0].guest_parties[0].places[1]: "A-1" is given twice.'],
  [{ ticket: 'seat', places: ['A-3'] }, 'events[0].guest_parties: a place is taken, blocked, or of another ticket.'],
  [{ ticket: 'floor' }, "events[0].guest_parties[0].standing_area: can't be blank."],
  [
    { custom_field_answers: { heard: 'TV' } },
    'events[0].guest_parties[0].custom_field_answers: How did you hear of us? is not included in the list.',
  ],
  [
    { custom_field_answers: { other: 1 } },
    'events[0].guest_parties[0].custom_field_answers.other: there is no question "other".',
  ],
  [{ size: 2 }, 'events[0].guest_parties[0].size: is an unknown key.'],
])('a party with %o is named with its place in the file', async (change, sentence) => {
  const load = openWinterBall((event: VenueFile) => {
    event['guest_parties'] = [{ key: 'press', customer_name: 'Petra', ticket: 'ga', ...change }]
  })
  await expect(load).rejects.toThrow(sentence)
})

test('more parties than there is room for are refused', async () => {
  const load = openWinterBall((event) => {
    event['tickets'][0].stock = 3
    event['guest_parties'] = ['a', 'b'].map((key) => ({ key, customer_name: key, ticket: 'ga', party_size: 2 }))
  })
  await expect(load).rejects.toThrow('events[0].guest_parties: the ticket has no stock left for this.')
})
