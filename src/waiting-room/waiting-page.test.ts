import { expect, test } from 'vitest'
import { waitingPage } from './waiting-page.ts'

const PAGE = {
  shopName: 'Neue Halle',
  eventTitle: 'Ball <b>&</b> "Chains"',
  address: '/queue?queue_token=abc&checkout[event_slug]=winter-ball',
  form: {
    action: '/checkouts',
    fields: [
      ['checkout[queue_token]', 'abc'],
      ['checkout[event_slug]', '"><script>'],
    ],
  },
} as const

test('the page of a place in line says the place, looks again by itself and runs nothing', () => {
  const { html, contentSecurityPolicy } = waitingPage({
    ...PAGE,
    language: 'en',
    place: { position: 1_212, retryAfterSeconds: 25 },
  })
  expect(html).toContain('<html lang="en"')
  expect(html).toContain('1,212')
  expect(html).toContain('content="25; url=/queue?queue_token=abc&amp;checkout[event_slug]=winter-ball"')
  expect(html).toContain('noindex')
  expect(html).not.toContain('<b>')
  expect(html).not.toContain('<script')
  expect(contentSecurityPolicy).not.toContain('script-src')
})

test('before the draw it says so, and in German too', () => {
  const { html } = waitingPage({ ...PAGE, language: 'de', place: { position: null, retryAfterSeconds: 1 } })
  expect(html).toContain('<html lang="de"')
  expect(html).toContain('durch das Los')
  expect(html).toContain('In einer Sekunde')
})

test('when it is their turn a button sends what was wanted, and nothing looks again', () => {
  const { html } = waitingPage({ ...PAGE, language: 'en', place: null })
  expect(html).toContain('It is your turn')
  expect(html).toContain('<form method="post" action="/checkouts">')
  expect(html).toContain('name="checkout[queue_token]" value="abc"')
  expect(html).toContain('value="&quot;&gt;&lt;script&gt;"')
  expect(html).not.toContain('http-equiv="refresh"')
})
