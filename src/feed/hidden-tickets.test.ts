import { expect, test } from 'vitest'
import type { VenueFile } from '../../test/kit/venue/neue-halle.ts'
import { eventOf, openShop } from '../../test/kit/venue/shop.ts'

const hiddenTickets = (file: VenueFile) => {
  eventOf(file)['tickets'].push({
    key: 'press',
    title: 'Press',
    price: '1.00',
    hidden: true,
    access_codes: ['Scoop', 'PRESS'],
  })
}

const titlesOf = (reply: { body: { tickets: { title: string }[] } }) => reply.body.tickets.map(({ title }) => title)

test('hidden tickets show only to whoever brings a code', async () => {
  const { shop } = await openShop(hiddenTickets)
  const open = ['General admission', 'Standing', 'Balcony seat', 'Table of four']

  expect(titlesOf(await shop.get('/events/winter-ball'))).toEqual(open)
  expect(titlesOf(await shop.get('/events/winter-ball?code=wrong'))).toEqual(open)
  expect(titlesOf(await shop.get('/events/winter-ball?code='))).toEqual(open)
  expect(titlesOf(await shop.get('/events/winter-ball?code=BACKSTAGE'))).toContain('Crew')
  expect(titlesOf(await shop.get('/events/winter-ball?code=%20backStage%09'))).toContain('Crew')

  for (const query of [
    'code=BACKSTAGE&code=scoop',
    'code[]=press&code[]=backstage',
    'code=x&code=Press&code[]=Backstage',
  ]) {
    expect(titlesOf(await shop.get(`/events/winter-ball?${query}`)), query).toEqual([
      ...open.slice(0, 3),
      'Crew',
      open[3],
      'Press',
    ])
  }
})

test('a hidden ticket moves neither price nor availability of those who do not see it', async () => {
  const { shop } = await openShop((file) => {
    file['events'].push({
      slug: 'secret',
      title: 'Secret',
      starts_at: '+P1D',
      tickets: [
        { key: 'a', title: 'Gone', price: '9.00', stock: 0 },
        { key: 'b', title: 'Hidden', price: '2.00', hidden: true, access_codes: ['psst'] },
      ],
    })
  })
  expect((await shop.get('/events/secret')).body).toMatchObject({ sold_out: true, cheapest_available_price: null })
  expect((await shop.get('/events/secret?code=psst')).body).toMatchObject({
    sold_out: false,
    cheapest_available_price: { amount: '2.00' },
  })
  const listed = (await shop.get('/events?code=psst')).body.events.find(
    (each: { slug: string }) => each.slug === 'secret',
  )
  expect(listed).toMatchObject({ sold_out: true, cheapest_available_price: null })
})

test('what the document leaves out is in no answer: row IDs, stock, capacity, codes, drafts', async () => {
  const { shop, venue } = await openShop((file) => {
    hiddenTickets(file)
    Object.assign(eventOf(file), { capacity: 7351 })
    eventOf(file)['tickets'][0].stock = 6173
  })
  const html = { headers: { accept: 'text/html' } }
  const answers = [
    await shop.get('/events'),
    await shop.get('/events/winter-ball'),
    await shop.get('/events/winter-ball?code=BACKSTAGE&code=scoop'),
    await shop.get('/events', html),
    await shop.get('/events/winter-ball?code=BACKSTAGE&code=scoop', html),
    await shop.get('/events/winter-ball.ics'),
    await shop.get('/sitemap.xml'),
  ]
  for (const { status, text } of answers) {
    expect(status).toBe(200)
    for (const secret of [
      'BACKSTAGE',
      'backstage',
      'scoop',
      'Scoop',
      '7351',
      '6173',
      'Draft Show',
      'draft-show',
      'olga@',
    ]) {
      expect(text, secret).not.toContain(secret)
    }
    expect(text).not.toMatch(
      /"(?:id|stock|capacity|claimed[a-z_]*|account_id|event_id|hidden|unlisted|published[a-z_]*)":/,
    )
  }
  expect(answers[1]!.text).not.toContain('Press')
  expect(answers[4]!.text).toContain('Press')
  expect(venue.report.events['winter-ball']!.id).toBeGreaterThan(0)
})
