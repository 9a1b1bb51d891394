import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BALL, askShop, openAs, openBallWithRequests } from '../kit/browser/ball-with-requests.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { viewPdf } from '../kit/browser/pdf-viewer.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { type Venue, theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const open = (venue: Venue, path: string) => openAs(browser, venue, path)

test('by mouse: a link is made beside what guests will see, shared, printed, and given a new address', async () => {
  const venue = await openBallWithRequests()
  const desk = await open(venue, `${BALL}/signup`)
  const { page } = desk
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: CONSOLE })
  await page.getByText('0 of 6 taken').waitFor()
  await page.getByRole('link', { name: 'New link' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Neighbours')
  await page.getByLabel('Companions each guest may bring').fill('2')
  await page.getByRole('radiogroup', { name: 'Names of companions' }).getByText('Required').click()
  await page.getByRole('radiogroup', { name: 'Phone' }).getByText('Optional').click()
  await page.getByRole('switch', { name: 'Also ask the questions of the checkout' }).click()
  await page.getByLabel('Quota').fill('12')
  await page.getByLabel('Name', { exact: true }).fill('x'.repeat(201))
  await page.getByRole('button', { name: 'Create the link' }).click()
  await page.getByText('is too long (maximum is 200 characters)').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Neighbours')
  await page.getByRole('button', { name: 'Create the link' }).click()
  await page.getByText('The link is ready to be shared.').waitFor()
  await page.getByRole('heading', { name: 'Neighbours', level: 1 }).waitFor()
  await page.getByText('0 of 12 taken').waitFor()

  const { forms } = (await venue.office.get('/admin/events/winter-ball/guest_list_forms')).body
  const made = forms.at(-1)
  expect(made).toMatchObject({
    name: 'Neighbours',
    max_companions: 2,
    capacity: 12,
    companion_names_field: 'required',
    phone_field: 'optional',
    asks_questions: true,
  })
  const preview = page.frameLocator('iframe[title="The page of this link"]')
  const previewed = async () =>
    (await preview.locator('form label:not(.trap label)').allInnerTexts()).map((label) => label.replaceAll(/\s+/g, ' '))
  await expect.poll(previewed).toEqual(await labelsOfPublicPage(venue, made.public_url))
  // It is drawn with its own style, which the policy of the console lets through.
  expect((await preview.locator('.trap').boundingBox())!.width).toBe(1)
  await desk.expectReadable('signup-link')
  const historyLength = await page.evaluate<number>('history.length')
  await page.getByRole('radiogroup', { name: 'Language of the page' }).getByText('Deutsch').click()
  await preview.getByText('Gästeliste').first().waitFor()
  await page.getByRole('switch', { name: 'Guests can sign up' }).click()
  await preview.getByText('Diese Gästeliste ist geschlossen.').waitFor()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await preview.getByRole('button', { name: 'Anmelden' }).waitFor()
  expect(await page.evaluate('history.length')).toBe(historyLength)

  await page.getByRole('button', { name: 'Copy the link' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(made.public_url)
  await page.getByRole('button', { name: 'QR code' }).click()
  await page.getByRole('dialog').getByRole('img', { name: 'QR code of Neighbours' }).waitFor()
  await desk.expectReadable('signup-code')
  await page.keyboard.press('Escape')
  const poster = await page.getByRole('link', { name: 'Poster (A4)' }).getAttribute('href')
  const bytes = await page.evaluate<number[]>(
    `fetch('${poster}').then(async (answer) => Array.from(new Uint8Array(await answer.arrayBuffer())))`,
  )
  const [sheet] = viewPdf(Buffer.from(bytes))
  expect(sheet!.text).toContain('Scan to sign up')

  await page.getByRole('button', { name: 'New address…' }).click()
  await page.getByRole('dialog').getByText('printed posters and codes lead nowhere', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Give it a new address' }).click()
  await page.getByText('The link has a new address.').waitFor()
  await expect.poll(() => page.getByText(made.public_url).count()).toBe(0)
  desk.expectNoFaults(/422/)
  await page.context().close()
})

/** What the real page asks, with what is optional said as it says it. */
const labelsOfPublicPage = async (venue: Venue, url: string): Promise<string[]> => {
  const html = await askShop(venue, url, { method: 'GET', headers: { accept: 'text/html' } })
  const form = /<form method="post">(.*?)<div class="trap"/s.exec(html)![1]!
  const labels = Array.from(form.matchAll(/<label for="field-[^"]*"\s*>(.*?)<\/label/gs), ([, label]) => label!)
  return labels.map((label) =>
    label
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

test('settings that are not saved yet outlive a reload, and only what was changed is sent', async () => {
  const venue = await openBallWithRequests()
  const { forms } = (await venue.office.get('/admin/events/winter-ball/guest_list_forms')).body
  const desk = await open(venue, `${BALL}/signup/${forms[0].public_id}`)
  const { page } = desk
  await page.getByLabel('Name', { exact: true }).fill('Old friends')
  await page.reload()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Old friends')
  await venue.office.patch(`/admin/events/winter-ball/guest_list_forms/${forms[0].public_id}`, {
    guest_list_form: { capacity: 9 },
  })
  await page.keyboard.press('Control+s')
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByText('0 of 9 taken').waitFor()
  const saved = (await venue.office.get(`/admin/events/winter-ball/guest_list_forms/${forms[0].public_id}`)).body
  expect(saved).toMatchObject({ name: 'Old friends', capacity: 9 })
  desk.expectNoFaults()
  await page.context().close()
})

test('where an event has no tickets yet, guests and links lead to where they are made', async () => {
  const venue = await openBallWithRequests()
  const event = { title: 'First Night', starts_at: '2030-05-04T18:00:00Z' }
  expect((await venue.office.post('/admin/events', { event })).status).toBe(201)
  const night = `${CONSOLE}/console/events/first-night`
  const desk = await open(venue, `${night}/guests?add=true`)
  const { page } = desk
  for (const [view, said] of [
    ['guests?add=true', 'Guests need a ticket'],
    ['signup/new', 'A link needs a ticket'],
  ] as const) {
    await page.goto(`${night}/${view}`)
    await page.getByRole('heading', { name: said }).waitFor()
    await desk.expectReadable(`no-tickets-${view.replaceAll(/\W+/g, '-')}`)
    await page.getByRole('link', { name: 'Set up tickets' }).click()
    await page.getByRole('heading', { name: 'There are no tickets yet' }).waitFor()
  }
  desk.expectNoFaults()
  await page.context().close()
})
