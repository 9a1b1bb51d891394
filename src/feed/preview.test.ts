import { expect, test } from 'vitest'
import { signedIn } from '../../test/kit/venue/sessions.ts'
import { openShop } from '../../test/kit/venue/shop.ts'

test('who sets an event up sees its page before anybody else does', async () => {
  const { venue, shop } = await openShop()
  const created = await venue.office.post('/admin/events', {
    event: {
      title: 'Not yet',
      starts_at: '2030-04-15T18:00:00Z',
      description: '<p>Soon</p><script>alert(1)</script>',
      tickets: [
        { title: 'Open', price: '5.00' },
        { title: 'Secret', hidden: true, access_codes: ['psst'] },
      ],
    },
  })
  expect(created.status).toBe(201)
  expect((await shop.get('/events/not-yet')).status).toBe(404)

  const page = await venue.office.get('/admin/events/not-yet/preview')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  expect(page.text).toContain('Not yet')
  expect(page.text).toContain('<p>Soon</p>')
  expect(page.text).toContain('Open')
  expect(page.text).not.toContain('Secret')
  expect(page.text).not.toContain('alert(1)')
  // Its links lead to the shop and not into the console.
  expect(page.text).not.toContain('href="/')
})

test('the preview is for those who set up, and for nobody else', async () => {
  const { venue } = await openShop()
  expect((await venue.stranger.get('/admin/events/draft-show/preview')).status).toBe(401)
  const manager = await signedIn(venue, 'mara@neue-halle.example')
  expect((await manager.get('/admin/events/draft-show/preview')).status).toBe(200)
  expect((await manager.get('/admin/events/nothing/preview')).status).toBe(404)
})
