import { expect, test } from 'vitest'
import { atShop } from '../../test/kit/venue/shop.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

test('the programme leads to the gift vouchers as soon as there are some, and no longer', async () => {
  const venue = await openVenue((file) => void (file['voucher_products'] = []))
  const page = async () => (await atShop(venue).get('/events', { headers: { accept: 'text/html' } })).text
  expect(await page()).not.toContain('href="/vouchers"')
  // From now on the page is kept until something of it is announced to have changed.
  await expect.poll(() => venue.app.database.pgNotifications.barrier(), { interval: 20 }).not.toBeNull()
  expect(await page()).not.toContain('href="/vouchers"')

  const product = { name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }
  const made = await venue.office.post('/admin/voucher_products', { voucher_product: product })
  expect(made.status, made.text).toBe(201)
  expect(await page()).toContain('href="/vouchers"')

  const secret = { voucher_product: { visibility: 'secret' } }
  const hidden = await venue.office.patch(`/admin/voucher_products/${made.body.id}`, secret)
  expect(hidden.status, hidden.text).toBe(200)
  expect(await page()).not.toContain('href="/vouchers"')
})
