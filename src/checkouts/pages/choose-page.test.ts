import { expect, test } from 'vitest'
import { form } from '../../../test/kit/venue/sessions.ts'
import { atShop } from '../../../test/kit/venue/shop.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const openChoice = async () => {
  const venue = await openVenue((file) => {
    const [ball] = file['events']
    ball.tickets = [
      { key: 'seat', title: 'Balcony', price: '45.00', stock: 5 },
      { key: 'floor', title: 'Floor', price: '30.00', inventory_kind: 'standing' },
    ]
    ball.standing_areas = ['Front', 'Back'].map((name) => ({ key: name, name, capacity: 10, tickets: ['floor'] }))
    delete ball.places
    delete ball.orders
  })
  const choose = async (items: Record<string, string>, language = 'en') => {
    const fields = { 'checkout[event_slug]': 'winter-ball', ...items }
    const sent = form(fields, { 'accept-language': language })
    const { status, text } = await atShop(venue).ask('POST', '/checkouts', sent)
    const [, list = ''] = /id="faults"[^]*?<ul>([^]*?)<\/ul>/.exec(text) ?? []
    return { status, sentences: Array.from(list.matchAll(/<li>(?:<a[^>]*>)?([^<]*)/g), ([, sentence]) => sentence) }
  }
  return { tickets: venue.report.events['winter-ball']!.tickets, choose }
}

test('a form without a ticket is told so in a sentence, in the language of the browser', async () => {
  const { choose } = await openChoice()
  expect(await choose({})).toEqual({ status: 422, sentences: ['Please choose at least one ticket.'] })
  expect((await choose({}, 'de')).sentences).toEqual(['Bitte wählen Sie mindestens ein Ticket.'])
})

test('what is wrong with a ticket is told with the names of the ticket and of the field', async () => {
  const { choose, tickets } = await openChoice()
  const items = {
    'checkout[items][1][ticket_id]': String(tickets['floor']),
    'checkout[items][1][quantity]': '2',
    'checkout[items][1][standing_area_id]': '',
  }
  expect(await choose(items)).toEqual({ status: 422, sentences: ['Floor: Area can&#39;t be blank'] })
})
