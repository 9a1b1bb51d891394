import { expect, test } from 'vitest'
import { eventOf, openShop } from '../../test/kit/venue/shop.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('the programme lists published, listed events that are not over, the next one first', async () => {
  const { shop } = await openShop((file) => {
    file['events'].push(
      { slug: 'tonight', title: 'Tonight', starts_at: '-PT2H', tickets: [] },
      { slug: 'called-off', title: 'Called off', starts_at: '+P3D', cancelled: true },
      { slug: 'put-away', title: 'Put away', starts_at: '+P3D', archived: true },
      { slug: 'next-week', title: 'Next week', starts_at: '+P7D' },
    )
  })
  const reply = await shop.get('/events')
  expect(reply.status).toBe(200)
  expect(reply.body.events.map((event: { slug: string }) => event.slug)).toEqual([
    'tonight',
    'next-week',
    'winter-ball',
  ])
})

test('every field of an event is there, with its type, and nulls where nothing is known', async () => {
  const { shop, url } = await openShop((file) => {
    Object.assign(eventOf(file), {
      ends_at: '+P30DT6H',
      show_end_time: true,
      sales_starts_at: '-P1D',
      sales_ends_at: '+P30D',
      video_url: 'https://video.example/1',
      video_title: 'Last year',
      image: 'https://cdn.example/ball.jpg',
      background_image: 'https://cdn.example/hall.jpg',
      gallery_images: ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg'],
    })
    file['events'].push({ slug: 'bare', title: 'Bare', starts_at: '+P1D' })
  })
  const { body } = await shop.get('/events')
  const [bare, ball] = body.events

  expect(ball).toEqual({
    slug: 'winter-ball',
    title: 'Winter Ball',
    description: '<p>Dance until morning.</p>',
    url: `${url}/events/winter-ball`,
    starts_at: expect.stringMatching(ISO),
    doors_open_at: expect.stringMatching(ISO),
    ends_at: expect.stringMatching(ISO),
    show_end_time: true,
    sales_starts_at: expect.stringMatching(ISO),
    sales_ends_at: expect.stringMatching(ISO),
    time_zone: 'Europe/Berlin',
    minimum_age: 18,
    video_url: 'https://video.example/1',
    video_title: 'Last year',
    sold_out: false,
    image_url: 'https://cdn.example/ball.jpg',
    background_image_url: 'https://cdn.example/hall.jpg',
    gallery_image_urls: ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg'],
    venue: {
      name: 'Neue Halle',
      address: 'Hafenstrasse 7',
      postal_code: '20359',
      city: 'Hamburg',
      country: 'DE',
      latitude: 53.5461,
      longitude: 9.9661,
      time_zone: 'Europe/Berlin',
    },
    cheapest_available_price: { amount: '25.00', currency: 'EUR' },
    cancelled_at: null,
    sales_status: 'on_sale',
  })
  expect(bare).toMatchObject({
    description: '',
    doors_open_at: null,
    show_end_time: false,
    sales_starts_at: null,
    sales_ends_at: null,
    time_zone: 'Europe/Berlin',
    minimum_age: null,
    video_url: null,
    video_title: null,
    sold_out: true,
    image_url: null,
    background_image_url: null,
    gallery_image_urls: [],
    venue: {
      name: '',
      address: '',
      postal_code: null,
      city: '',
      country: '',
      latitude: null,
      longitude: null,
      time_zone: 'Europe/Berlin',
    },
    cheapest_available_price: null,
    cancelled_at: null,
    sales_status: 'no_tickets',
  })
  const hours = (Date.parse(bare.ends_at) - Date.parse(bare.starts_at)) / 3_600_000
  expect(hours).toBe(5)
})

test('a single event adds its tickets, performers and questions', async () => {
  const { shop } = await openShop((file) => {
    Object.assign(eventOf(file), {
      performers: [
        {
          name: 'The Lanterns',
          role: 'support',
          genre: 'Swing',
          starts_at: '+P30DT1H',
          bio: '<p>Nine <script>x</script>people</p>',
          image: 'https://cdn.example/l.jpg',
          links: { website: 'https://lanterns.example', tiktok: 'https://tiktok.example/l' },
        },
        { name: 'Ana', performer_type: 'person', role: 'guest' },
      ],
      faq_items: [
        { question: 'Cloakroom?', answer: 'Yes, <b>left</b>.' },
        { question: 'Dogs?', answer: '1 < 2 dogs' },
      ],
    })
    eventOf(file)['tickets'][0].features = ['Cloakroom', 'Drink']
  })
  const { body } = await shop.get('/events/winter-ball')

  expect(body.tickets).toEqual([
    {
      title: 'General admission',
      kind: 'StandardTicket',
      color: '#2f6fed',
      features: ['Cloakroom', 'Drink'],
      price: { amount: '25.00', currency: 'EUR' },
      available: true,
      sold_out: false,
      low_stock: false,
      max_per_order: 8,
    },
    {
      title: 'Standing',
      kind: 'StandardTicket',
      color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      features: [],
      price: { amount: '30.00', currency: 'EUR' },
      available: true,
      sold_out: false,
      low_stock: false,
      max_per_order: null,
    },
    {
      title: 'Balcony seat',
      kind: 'StandardTicket',
      color: expect.any(String),
      features: [],
      price: { amount: '45.00', currency: 'EUR' },
      available: true,
      sold_out: false,
      low_stock: true,
      max_per_order: null,
    },
    {
      title: 'Table of four',
      kind: 'GroupTicket',
      color: expect.any(String),
      features: [],
      price: { amount: '90.00', currency: 'EUR' },
      available: true,
      sold_out: false,
      low_stock: true,
      max_per_order: null,
    },
  ])
  expect(body.performers).toEqual([
    {
      name: 'The Lanterns',
      performer_type: 'performing_group',
      role: 'support',
      genre: 'Swing',
      starts_at: expect.stringMatching(ISO),
      ends_at: null,
      bio: '<p>Nine people</p>',
      image_url: 'https://cdn.example/l.jpg',
      links: {
        website: 'https://lanterns.example',
        instagram: null,
        spotify: null,
        soundcloud: null,
        tiktok: 'https://tiktok.example/l',
        youtube: null,
      },
    },
    {
      name: 'Ana',
      performer_type: 'person',
      role: 'guest',
      genre: null,
      starts_at: null,
      ends_at: null,
      bio: null,
      image_url: null,
      links: { website: null, instagram: null, spotify: null, soundcloud: null, tiktok: null, youtube: null },
    },
  ])
  expect(body.faq_items).toEqual([
    { question: 'Cloakroom?', answer: 'Yes, left.' },
    { question: 'Dogs?', answer: '1 < 2 dogs' },
  ])
  expect((await shop.get('/events/spring-night')).body).toMatchObject({ performers: [], faq_items: [] })
})

test('an event by its slug: unlisted, past and cancelled ones answer, drafts and strangers do not', async () => {
  const { shop } = await openShop((file) => {
    file['events'].push({
      slug: 'called-off',
      title: 'Off',
      starts_at: '+P3D',
      cancelled: true,
      tickets: [{ key: 'a', title: 'A' }],
    })
  })
  const other = await openShop((file) => {
    file['events'].push({ slug: 'elsewhere', title: 'Elsewhere', starts_at: '+P3D' })
  })

  for (const slug of ['winter-ball', 'spring-night', 'last-summer']) {
    expect((await shop.get(`/events/${slug}`)).status, slug).toBe(200)
  }
  expect((await shop.get('/events/called-off')).body).toMatchObject({
    sold_out: true,
    cheapest_available_price: null,
    tickets: [{ available: false, sold_out: true, low_stock: false }],
  })
  for (const slug of ['draft-show', 'no-such-event', 'elsewhere', 'Winter-Ball']) {
    const reply = await shop.get(`/events/${slug}`)
    expect([reply.status, reply.body], slug).toEqual([404, { error: 'Not found' }])
  }
  expect((await other.shop.get('/events/elsewhere')).status).toBe(200)
})

test('.json means JSON, whatever is accepted; a browser gets a page at the same address', async () => {
  const { shop } = await openShop()
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
  for (const path of ['/events', '/events/winter-ball']) {
    const plain = await shop.get(path)
    expect((await shop.get(`${path}.json`, browser)).text).toBe(plain.text)
    expect((await shop.get(path, { headers: { accept: '*/*' } })).text).toBe(plain.text)
    expect(plain.headers.get('vary')).toBe('Accept, Accept-Encoding')

    const page = await shop.get(path, browser)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding, Accept-Language')
  }
})

test('amounts have the decimals of their currency', async () => {
  const { shop } = await openShop((file) => {
    file['account'].currency = 'JPY'
    file['events'] = [
      { slug: 'tokyo', title: 'Tokyo', starts_at: '+P1D', tickets: [{ key: 'a', title: 'A', price: '2500' }] },
    ]
    file['people'] = file['people'].filter((each: { role: string }) => each.role === 'owner')
    file['api_tokens'] = []
  })
  expect((await shop.get('/events/tokyo')).body.tickets[0].price).toEqual({ amount: '2500', currency: 'JPY' })
})
