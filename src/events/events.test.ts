import { expect, test } from 'vitest'
import { openVenue } from '../../test/kit/venue/venue.ts'

const slugsOf = (reply: { body: { events: { slug: string }[] } }) => reply.body.events.map(({ slug }) => slug)

test('events to come are listed first, the next one on top, then past ones, the latest on top; archived ones apart', async () => {
  const { reader } = await openVenue((file) => {
    file['events'] = [
      { slug: 'long-ago', title: 'Long ago', starts_at: '-P30D', ends_at: '-P29D' },
      { slug: 'next-month', title: 'Next month', starts_at: '+P30D', ends_at: '+P31D' },
      { slug: 'last-week', title: 'Last week', starts_at: '-P7D', ends_at: '-P6D' },
      { slug: 'put-away', title: 'Put away', starts_at: '-P60D', ends_at: '-P59D', archived: true },
      { slug: 'tonight', title: 'Tonight', starts_at: '-PT1H', ends_at: '+PT4H' },
      { slug: 'tomorrow', title: 'Tomorrow', starts_at: '+P1D', ends_at: '+P1DT4H' },
    ]
    for (const section of ['tasks', 'vouchers', 'voucher_products', 'voucher_imports']) delete file[section]
    for (const person of file['people']) delete person['events']
    for (const invitation of file['invitations'] ?? []) delete invitation['events']
  })
  expect(slugsOf(await reader.get('/admin/events'))).toEqual([
    'tonight',
    'tomorrow',
    'next-month',
    'last-week',
    'long-ago',
  ])
  expect(slugsOf(await reader.get('/admin/events?archived=true'))).toEqual(['put-away'])
})
