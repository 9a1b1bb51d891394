import { expect, test, vi } from 'vitest'
import { openBrowser } from '../kit/browser/browser.ts'
import { isChromiumPackaged, unpackChromium } from '../kit/browser/packaged-chromium.ts'
import { openVenue } from '../kit/venue/venue.ts'

test.runIf(isChromiumPackaged)(
  'where the system has no Chromium, the one among the packages shows a venue’s programme',
  async () => {
    vi.stubEnv('FOYER_CHROMIUM', 'package')
    const venue = await openVenue()
    const browser = await openBrowser()
    try {
      expect(browser.version()).toMatch(new RegExp(`^${unpackChromium().version.split('.')[0]}\\.`))
      const page = await browser.newPage({ viewport: { width: 360, height: 640 }, locale: 'de-DE' })
      const { port } = new URL(venue.origin)
      await page.goto(`http://${venue.report.account.subdomain}.localhost:${port}/events`)
      await page.getByRole('heading', { name: 'Programm' }).waitFor()
      await page.getByRole('link', { name: 'Winter Ball' }).click()
      await page.getByRole('heading', { name: 'Winter Ball' }).waitFor()
      // Letters that are drawn at all are wider than nothing.
      const heading = await page.getByRole('heading', { name: 'Winter Ball' }).boundingBox()
      expect(heading!.height).toBeGreaterThan(10)
    } finally {
      await browser.close()
      vi.unstubAllEnvs()
    }
  },
)
