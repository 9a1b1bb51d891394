import { expect, test } from 'vitest'
import { openSignups } from '../../test/kit/venue/signups.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

test('a file brings links and requests in every state, and nobody is written to', async () => {
  const ball = await openSignups((event) => {
    event['signup_links'] = [
      {
        key: 'friends',
        name: 'Friends',
        ticket: 'ga',
        max_companions: 3,
        capacity: 40,
        companion_names_field: 'optional',
      },
      { key: 'floor', ticket: 'floor', standing_area: 'front', approval_mode: 'automatic', enabled: false },
    ]
    event['signup_requests'] = [
      {
        link: 'friends',
        name: 'Wanda',
        email: ' Wanda@Guest.example',
        companions: 1,
        companion_names: ['Will'],
        created_at: '-P2D',
      },
      {
        link: 'friends',
        name: 'Aron',
        email: 'aron@guest.example',
        companions: 1,
        status: 'approved',
        waiting_companions: 2,
      },
      { link: 'floor', name: 'Rita', email: 'rita@guest.example', status: 'rejected', company: 'Halle', phone: '1' },
    ]
  })
  const links = ball.report.events['winter-ball']!.signup_links
  const { forms } = (await ball.office.get(ball.forms)).body
  expect(forms).toMatchObject([
    { ...links['friends'], name: 'Friends', capacity: 40, admission_count: 2 },
    { ...links['floor'], enabled: false, approval_mode: 'automatic', event_capacity_pool_id: ball.areas['front'] },
  ])
  expect((await ball.visit(links['friends']!.public_url)).status).toBe(200)

  expect(await ball.waiting()).toMatchObject({
    pending_count: 2,
    requests: [
      { name: 'Aron', status: 'approved', pending_addition: { companions: 2, companion_names: [] } },
      { name: 'Wanda', email: 'wanda@guest.example', status: 'pending', companion_names: ['Will'] },
    ],
  })
  expect(await ball.waiting('?status=rejected')).toMatchObject({
    requests: [{ name: 'Rita', company: 'Halle', phone: '1' }],
  })
  expect((await ball.guestList()).guest_parties).toMatchObject([{ customer_name: 'Aron', creator_name: 'Olga Owner' }])
  expect(await ball.queuedMails()).toEqual([])
  expect(await ball.inbox()).toEqual([])
})

const link = { key: 'a', ticket: 'ga', max_companions: 1, capacity: 1 }
const request = { link: 'a', name: 'Ada', email: 'ada@guest.example' }

test.for<[string, object]>([
  ['signup_links[0].ticket: is not included in the list', { signup_links: [{ ...link, ticket: 'seat' }] }],
  ['signup_links[0].ticket: there is no ticket "x"', { signup_links: [{ ...link, ticket: 'x' }] }],
  ["signup_links[0].standing_area: can't be blank", { signup_links: [{ ...link, ticket: 'floor' }] }],
  ['signup_links[0].capacity: must be greater than or equal to 1', { signup_links: [{ ...link, capacity: 0 }] }],
  ['signup_links[1].key: "a" is given twice', { signup_links: [link, link] }],
  ['signup_requests[0].link: there is no signup link "b"', { signup_requests: [{ ...request, link: 'b' }] }],
  ['signup_requests[0].email: is invalid', { signup_requests: [{ ...request, email: 'x' }] }],
  ['signup_requests[1].email: "ada@guest.example" is given twice', { signup_requests: [request, request] }],
  [
    'signup_requests[0].waiting_companions: only an approved request has companions waiting',
    { signup_requests: [{ ...request, waiting_companions: 1 }] },
  ],
  [
    'signup_requests[0].status: Not enough places available',
    { signup_requests: [{ ...request, companions: 1, status: 'approved' }] },
  ],
])('%s', async ([sentence, sections]) => {
  const loading = openVenue((file) => Object.assign(file['events'][0], { signup_links: [link], ...sections }))
  await expect(loading).rejects.toThrow(`events[0].${sentence}.`)
})
