import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { scanQrCode, viewPdf } from '../../kit/browser/pdf-viewer.ts'
import { leaves } from '../../kit/network/read-eml.ts'
import { mailsTo } from '../../kit/venue/outbox.ts'
import type { Venue } from '../../kit/venue/venue.ts'
import { openHand } from './house.ts'
import { SLUG, TITLE } from './organizer.ts'
import type { Album } from './pictures.ts'

export const GUEST = { name: 'Zoë Lindqvist', email: 'zoe@lindqvist.example', companion: 'Omar Hassan' }
export const BUYER = { name: 'Berit Buyer', email: 'berit@guest.example' }

/** A guest puts herself and a friend on the list, standing in the tram. */
export const signUp = async (browser: Browser, link: string, album: Album) => {
  const { page, watched } = await openHand(browser, link)
  await page.getByLabel('Name', { exact: true }).fill(GUEST.name)
  await page.getByLabel('Email').fill(GUEST.email)
  await page.getByLabel('Who comes along?').selectOption('1')
  await page.getByLabel('Name of companion 1').fill(GUEST.companion)
  await page.evaluate('scrollTo(0, 0)')
  await album.take(page, 'signup')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/guest_signups/)
  expect(await page.getByRole('status').textContent()).toContain('We have your signup')
  return { page, watched }
}

/** Her own page says so, and the tickets are in the mail. */
export const seeConfirmation = async ({ page }: Awaited<ReturnType<typeof signUp>>, album: Album) => {
  await page.reload()
  await page.getByText('Confirmed').first().waitFor()
  await album.take(page, 'confirmed')
  await page.context().close()
}

/** Somebody buys two tickets in the shop and pays with the voucher she was given. */
export const buyWithVoucher = async (browser: Browser, venue: Venue, code: string, album: Album) => {
  const { page, watched } = await openHand(browser, new URL(`/events/${SLUG}`, venue.report.account.shop_url).href)
  await page.getByRole('heading', { name: TITLE }).waitFor()
  await album.take(page, 'shop')
  await page.getByRole('link', { name: 'Buy tickets' }).click()
  await page.getByLabel('Quantity of Standing').selectOption('2')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Checkout' }).waitFor()
  await page.locator('[name="checkout[customer_name]"]').fill(BUYER.name)
  await page.locator('[name="checkout[customer_email]"]').fill(BUYER.email)
  await page.getByLabel('Voucher code').fill(code)
  await page.getByRole('button', { name: 'Apply voucher' }).click()
  await page.getByText('−€48.00').waitFor()
  await album.take(page, 'checkout')
  await page
    .locator('form')
    .getByRole('button', { name: /order|pay/i })
    .last()
    .click()
  await page.getByRole('heading', { name: 'Thank you!' }).waitFor()
  await album.take(page, 'order')
  watched.expectNoFaults()
  await page.context().close()
}

/** The codes on the tickets that came by mail, as any scanner reads them off the paper. */
export const codesMailedTo = async (venue: Venue, email: string): Promise<string[]> => {
  await venue.workOffJobs()
  const papers = (await mailsTo(venue, email)).flatMap((mail) =>
    leaves(mail).filter(({ type, part }) => type === 'application/pdf' && isTicket(part.headers)),
  )
  expect(papers, email).toHaveLength(1)
  return viewPdf(papers[0]!.part.body).map((paper) => scanQrCode(paper)!)
}

const isTicket = (headers: Map<string, string[]>) => /ticket/i.test(headers.get('content-disposition')?.[0] ?? '')
