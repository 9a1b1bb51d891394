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

test('a code opens its tickets all the way, and stands on no page', async () => {
  const venue = await openVenue()
  const shop = atShop(venue)
  const { crew } = venue.report.events['winter-ball']!.tickets
  const page = await shop.get('/events/winter-ball/tickets?code=Backstage', { headers: { accept: 'text/html' } })
  const [, unlock = ''] = /name="unlock" value="([\w-]+)"/.exec(page.text) ?? []
  const sent = { 'checkout[event_slug]': 'winter-ball', unlock }
  const again = await shop.ask('POST', '/checkouts', form(sent))
  const line = `/events/winter-ball/line?${new URLSearchParams(sent).toString()}`
  const inLine = await shop.get(line, { headers: { accept: 'text/html' } })
  for (const { text } of [page, again, inLine]) expect(text).not.toMatch(/backstage/i)
  for (const { text } of [page, again]) expect(text).toContain('Crew')

  const items = { 'checkout[items][0][ticket_id]': String(crew), 'checkout[items][0][quantity]': '1' }
  expect((await shop.ask('POST', '/checkouts', form({ ...sent, ...items }))).status).toBe(303)
  expect((await shop.ask('POST', '/checkouts', form({ ...sent, ...items, unlock: 'forged' }))).status).toBe(422)
})
