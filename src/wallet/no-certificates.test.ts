import { expect, test } from 'vitest'
import { bodyOf } from '../../test/kit/network/read-eml.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { buyTicket, visitOwnPage } from '../../test/kit/venue/wallet-pages.ts'
import { findCertificateWarnings } from './certificate-warnings.ts'

test('without certificates there is no button anywhere, and no error', async () => {
  const { buyer, bought, visit } = await buyTicket()
  const page = await visit('en')
  expect(page.status).toBe(200)
  expect(page.text).not.toMatch(/Apple Wallet|Google Wallet/)
  expect(await visitOwnPage()).not.toMatch(/Apple Wallet|Google Wallet/)
  await buyer.settle()
  const [mail] = await mailsTo(buyer.venue, 'berit@guest.example')
  expect(bodyOf(mail!, 'text/html')).not.toMatch(/wallet/i)
  expect((await buyer.venue.office.get('/admin/wallet')).body).toEqual({
    color: null,
    has_logo: false,
    apple: null,
    google: null,
  })
  expect(bought.order.status).toBe('paid')
  expect(await findCertificateWarnings(buyer.venue.app)).toEqual([])
})
