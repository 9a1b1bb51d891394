import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeImage } from '../../src/files/event-images.ts'
import { storageOf } from '../../src/files/open-storage.ts'
import { openBrowser } from '../kit/browser/browser.ts'
import type { VenueFile } from '../kit/venue/neue-halle.ts'
import { openVenue, type Venue } from '../kit/venue/venue.ts'

const SCREENSHOTS = process.env['FOYER_SCREENSHOTS']

let browser: Browser
let venue: Venue
let shop: string

beforeAll(async () => {
  venue = await openVenue(dressUp)
  await hangPictures()
  // The shop's own name on the port where this installation listens; its canonical address has another port.
  shop = `http://${venue.report.account.subdomain}.localhost:${new URL(venue.origin).port}`
  browser = await openBrowser()
}, 300_000)

afterAll(() => browser?.close())

const MISCHIEF = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`

const dressUp = (file: VenueFile) => {
  Object.assign(file['events'][0], {
    description:
      '<p>Once a year the hall turns its lights down and its band up. <strong>Dance until morning</strong>, in whatever you call your best.</p>' +
      '<ul><li>Dance lesson at eight</li><li>Midnight soup for everyone</li></ul>' +
      '<p>More at <a href="https://ball.example">ball.example</a>.</p>' +
      MISCHIEF,
    ends_at: '+P30DT7H',
    show_end_time: true,
    video_url: 'https://video.example/ball',
    video_title: 'Last year’s ball',
    performers: [
      {
        name: 'The Lanterns',
        genre: 'Swing',
        starts_at: '+P30DT1H',
        bio: '<p>Nine people and a bass.</p>',
        links: { website: 'https://lanterns.example', instagram: 'https://instagram.example/lanterns' },
      },
      { name: 'عمر الخطيب', performer_type: 'person', role: 'guest', genre: 'Oud' },
      { name: `Zoë ${MISCHIEF}`, performer_type: 'person', role: 'support' },
    ],
    faq_items: [
      { question: 'Is there a cloakroom?', answer: 'Yes, on the left of the entrance.\nIt is free.' },
      { question: 'May I bring my dog?', answer: 'Only if it dances.' },
    ],
  })
  file['events'][0].tickets[0].features = ['Cloakroom', 'One drink']
  file['events'].push(
    {
      slug: 'quiet-evening',
      title: 'A Quiet Evening',
      venue: 'halle',
      starts_at: '+P31D',
      tickets: [{ key: 'a', title: 'Seat', price: '12.00', stock: 0 }],
    },
    {
      slug: 'open-stage',
      title: 'Open Stage: poems, songs and whatever you dare to bring',
      venue: 'halle',
      starts_at: '+P62D',
      tickets: [{ key: 'a', title: 'Entry' }],
    },
  )
}

/** Pictures of colour, kept as a venue's own are. */
const hangPictures = async () => {
  const paint = async (from: string, to: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="1600" height="900" fill="url(#g)"/><circle cx="1150" cy="330" r="220" fill="#fff" opacity=".18"/></svg>`
    return storeImage(storageOf(venue.app).images, await sharp(Buffer.from(svg)).jpeg().toBuffer())
  }
  const ball = await paint('#3b0d18', '#d98a5b')
  const stage = await paint('#12323f', '#7fb7a6')
  const { pool } = venue.app.database
  await pool.query(
    `update events set image = $2, background_image = $2, gallery_images = array[$2, $3] where id = $1`,
    [venue.report.events['winter-ball']!.id, ball, stage],
  )
  await pool.query(`update events set image = $2 where id = $1`, [venue.report.events['open-stage']!.id, stage])
  await pool.query(`update performers set image = $2 where event_id = $1 and position = 0`, [
    venue.report.events['winter-ball']!.id,
    stage,
  ])
}

const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } }

const visit = async (address: string, options: Parameters<Browser['newContext']>[0] = {}) => {
  const context = await browser.newContext({ javaScriptEnabled: true, ...options })
  await lendPictures(context)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address, { waitUntil: 'networkidle' })
  return { context, page, complaints }
}

/** Images have the canonical address of the shop, where nobody listens in a test: they come from this installation. */
const lendPictures = (context: BrowserContext) =>
  context.route(`${venue.report.account.shop_url}/images/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    const answer = await venue.stranger.ask('GET', pathname, {
      headers: { host: new URL(venue.report.account.shop_url).host },
    })
    expect(answer.status).toBe(200)
    await route.fulfill({
      path: path.join(venue.dataFolder, 'images', path.basename(pathname)),
      contentType: answer.headers.get('content-type')!,
    })
  })

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Scripts are forbidden on these pages, so the examiner comes in through the debugger and not through the page. */
const examine = async (page: Page) => {
  await page.evaluate(await readFile(AXE, 'utf8'))
  return page.evaluate<string[]>(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => [id, node.html, node.failureSummary].join(': '))))`)
}

const PAGES = { programme: '/events', event: '/events/winter-ball', missing: '/events/no-such-event' }

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.each(Object.entries(PAGES))(`the %s page is sound on a ${size} in ${colorScheme}`, async (name, address) => {
      const { context, page, complaints } = await visit(shop + address, { viewport, colorScheme })
      expect(await page.locator('h1').count()).toBe(1)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(await shiftOf(page)).toBe(0)
      expect(complaints.filter((each) => !each.includes('404'))).toEqual([])
      expect(await examine(page)).toEqual([])
      if (SCREENSHOTS)
        await page.screenshot({ path: path.join(SCREENSHOTS, `${name}-${size}-${colorScheme}.png`), fullPage: true })
      await context.close()
    })
  }
}

/** How much of the page has moved since it was first drawn. */
const shiftOf = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    let total = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) total += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(total)))
  })`)

const FOCUSED = 'document.activeElement.textContent'

test('whoever comes to the shop finds the programme, an event on it, and its tickets, without a script', async () => {
  const { context, page } = await visit(shop, { javaScriptEnabled: false })
  expect(new URL(page.url()).pathname).toBe('/events')
  expect(await page.locator('article h3').allTextContents()).toEqual([
    'Winter Ball',
    'A Quiet Evening',
    expect.stringMatching(/^Open Stage/),
  ])

  await page.getByRole('link', { name: 'Winter Ball' }).click()
  await expect.poll(() => page.locator('h1').textContent()).toBe('Winter Ball')
  expect(await page.locator('.ticket h3').allTextContents()).not.toContain('Crew')

  await page.getByText('I have an access code').click()
  await page.getByLabel('Access code').fill(' backstage ')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect.poll(() => page.locator('.ticket h3').allTextContents()).toContain('Crew')
  expect(await page.content()).not.toContain('backstage')
  await context.close()
})

test('everything can be reached with the keyboard, the content first', async () => {
  const { context, page } = await visit(`${shop}/events`)
  await page.keyboard.press('Tab')
  expect(await page.evaluate(FOCUSED)).toBe('Skip to the content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(FOCUSED)).toBe('Winter Ball')
  await context.close()
})

test('script and markup in texts never run', async () => {
  const { context, page } = await visit(`${shop}/events/winter-ball`)
  expect(await page.title()).toBe('Winter Ball · Neue Halle')
  expect(await page.locator('h3', { hasText: 'Zoë' }).textContent()).toBe(`Zoë ${MISCHIEF}`)
  await context.close()
})

test('search engines are told the same in their own words', async () => {
  const { context, page } = await visit(`${shop}/events/winter-ball`)
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!)
  expect(data).toMatchObject({
    '@type': 'Event',
    name: 'Winter Ball',
    url: `${venue.report.account.shop_url}/events/winter-ball`,
    eventStatus: 'https://schema.org/EventScheduled',
    location: { name: 'Neue Halle', address: { addressLocality: 'Hamburg' }, geo: { latitude: 53.5461 } },
  })
  expect(data.offers[0]).toMatchObject({
    name: 'General admission',
    price: '25.00',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
  })
  expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe('Winter Ball')
  expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toMatch(
    /^http:\/\/neue-halle-.*\/images\/[0-9a-f]{64}-1280\.webp$/,
  )
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
    `${venue.report.account.shop_url}/events/winter-ball`,
  )
  await context.close()
})

test('a page of another site shows the programme with the lines of docs/embed.md', async () => {
  const text = await readFile(path.join(import.meta.dirname, '../../docs/embed.md'), 'utf8')
  const sample = /```html\n([\s\S]*?)```/.exec(text)![1]!
  const html = `<!doctype html><title>Another site</title>${sample.replace('https://kaispeicher.shops.example', shop)}`
  const site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
  )
  await once(site.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = site.address() as AddressInfo
    const { context, page } = await visit(`http://band.localhost:${port}/`)
    await page.locator('#programme li').first().waitFor()
    const lines = await page.locator('#programme li').allTextContents()
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^Winter Ball · .* at \d\d:\d\d · Neue Halle · from 25\.00 EUR$/)
    expect(lines[1]).toMatch(/sold out$/)
    expect(await page.locator('#programme a').first().getAttribute('href')).toBe(
      `${venue.report.account.shop_url}/events/winter-ball`,
    )

    const refusal = await page.evaluate(async (address) => {
      const answer = await fetch(address, { headers: { accept: 'application/json', 'x-anything': 'preflight' } })
      return [answer.status, await answer.json()]
    }, `${shop}/events/no-such-event`)
    expect(refusal).toEqual([404, { error: 'Not found' }])
    await context.close()
  } finally {
    site.close()
  }
})
