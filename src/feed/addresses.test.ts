import { expect, test } from 'vitest'
import { askAtHost } from '../../test/kit/network/ask-at-host.ts'
import { atShop, eventOf, hostOf, openShop } from '../../test/kit/venue/shop.ts'

test('codes by the thousand and of any length are a plain answer', async () => {
  const { shop } = await openShop()
  const many = Array.from({ length: 1000 }, (_, n) => `code=${n}`).join('&')
  expect((await shop.get(`/events/winter-ball?${many}`)).status).toBe(200)
  expect((await shop.get(`/events/winter-ball?code=${'x'.repeat(10_000)}&code=%00&code=%ff`)).status).toBe(200)
  expect((await shop.get('/events/winter-ball?code[a]=backstage&code[__proto__]=1')).status).toBe(200)
})

const ODD_SLUGS = {
  'with a slash': 'a/b',
  'with a hidden slash': 'a%2Fb',
  'with an ending': 'winter-ball.html',
  'of one dot': '.',
  'that climbs': '..%2Fadmin',
  'of a zero byte': '%00',
  'of a dancer': '%F0%9F%92%83',
  'of SQL': '%27or%201=1--',
  'of 400 letters': 'x'.repeat(400),
  'of 10,000 letters': 'x'.repeat(10_000),
}

test.each(Object.keys(ODD_SLUGS) as (keyof typeof ODD_SLUGS)[])(
  'a slug %s is not found, in the words of a shop',
  async (name) => {
    const { shop } = await openShop()
    const reply = await shop.get(`/events/${ODD_SLUGS[name]}`)
    expect(reply.status).toBe(404)
    expect(reply.body).toEqual({ error: 'Not found' })
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  },
)

test('an address that cannot be read is malformed, and told as a shop tells it', async () => {
  const { shop } = await openShop()
  const reply = await shop.get('/events/%E0%A4%A')
  expect(reply.status).toBe(400)
  expect(reply.body).toEqual({ error: 'The address is malformed' })
})

test('the Host decides whose shop it is, and nothing else does', async () => {
  const { venue, shop, url } = await openShop((file) => {
    file['account'].custom_domains = [`tickets.${file['account'].subdomain}.example`]
  })
  const other = await openShop((file) => {
    eventOf(file)['title'] = 'Their ball'
  })
  const custom = atShop(venue, `tickets.${venue.report.account.subdomain}.example`)

  expect((await custom.get('/events/winter-ball')).text).toBe((await shop.get('/events/winter-ball')).text)
  expect((await custom.get('/events')).body.events[0].url).toBe(`${url}/events/winter-ball`)
  expect((await atShop(venue, `TICKETS.${venue.report.account.subdomain}.example.:8080`).get('/events')).status).toBe(
    200,
  )

  const forged = {
    'x-forwarded-host': hostOf(other.venue),
    forwarded: `host=${hostOf(other.venue)}`,
    'x-forwarded-proto': 'https',
  }
  expect((await shop.get('/events/winter-ball', { headers: forged })).body).toMatchObject({
    title: 'Winter Ball',
    url: `${url}/events/winter-ball`,
  })

  for (const host of [
    'nobody.localhost:3000',
    'unknown.example',
    'localhost:3000',
    '127.0.0.1',
    `x.${hostOf(venue)}`,
    '[::1]',
  ]) {
    const reply = await askAtHost(venue.origin, '/events', { method: 'GET', headers: { host } })
    expect(reply.status, host).toBe(404)
  }
})

test('a shop that is not published is not there', async () => {
  const { shop } = await openShop((file) => {
    file['account'].shop_published = false
  })
  for (const path of ['/', '/events', '/events/winter-ball', '/sitemap.xml', '/events/winter-ball.ics']) {
    const reply = await shop.get(path)
    expect([reply.status, reply.body], path).toEqual([404, { error: 'Not found' }])
  }
})

test('a shop without events has an empty programme', async () => {
  const { shop } = await openShop((file) => {
    file['events'] = []
    file['people'] = file['people'].filter((each: { role: string }) => each.role === 'owner')
    file['api_tokens'] = []
  })
  expect((await shop.get('/events')).body).toEqual({ events: [] })
  expect((await shop.get('/events', { headers: { accept: 'text/html' } })).text).toContain('Nothing is announced')
})

test('an event of which nothing is told has no empty column beside its facts', async () => {
  const { shop } = await openShop((file) => {
    const [told, untold] = [eventOf(file), eventOf(file, 'spring-night')]
    for (const key of ['description', 'video_url', 'gallery_images', 'performers', 'faq_items']) delete untold[key]
    told['description'] = '<p>With a band</p>'
  })
  const columnsOf = async (slug: string) => {
    const { text } = await shop.get(`/events/${slug}`, { headers: { accept: 'text/html' } })
    return Array.from(text.matchAll(/<div class="(columns[^"]*|story)">/g), ([, name]) => name)
  }
  expect(await columnsOf('winter-ball')).toEqual(['columns', 'story'])
  expect(await columnsOf('spring-night')).toEqual(['columns storyless'])
})

test('credentials change nothing, good or bad, and nothing is set in return', async () => {
  const { shop, venue } = await openShop()
  const plain = await shop.get('/events/winter-ball')
  for (const authorization of ['Bearer garbage', `Bearer ${venue.report.api_tokens['office write']}`, 'Basic x']) {
    const reply = await shop.get('/events/winter-ball', { headers: { authorization, cookie: 'a=b' } })
    expect(reply.text).toBe(plain.text)
    expect(reply.headers.get('set-cookie')).toBeNull()
  }
})
