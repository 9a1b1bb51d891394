import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

const ROOT = path.join(import.meta.dirname, '../../..')
const FOLDER = path.join(ROOT, 'docs/pictures/tour')
const TOUR = path.join(ROOT, 'docs/tour.md')

/** What is said in passing would cover what a picture is about. */
const closeToasts = async (page: Page) => {
  const close = page.locator('div[role=status][aria-live=polite]').getByRole('button', { name: 'Close' })
  while ((await close.count()) > 0) {
    // One that goes by itself in this moment is gone all the same.
    await close
      .first()
      .click({ timeout: 1_000 })
      .catch(() => {})
  }
}

/** The pictures of docs/tour.md. They are only written where it is asked for, so that a test leaves the tree as it was. */
export const openAlbum = () => {
  const isWriting = process.env['FOYER_WRITE_DOCS'] === '1'
  if (isWriting) mkdirSync(FOLDER, { recursive: true })
  const taken: string[] = []
  return {
    taken,
    take: async (page: Page, name: string): Promise<void> => {
      taken.push(name)
      await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
      await closeToasts(page)
      const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      // Flat areas of few colours: a palette makes them small.
      if (isWriting)
        await sharp(picture)
          .png({ palette: true, colours: 96, effort: 10 })
          .toFile(path.join(FOLDER, `${name}.png`))
    },
  }
}

export type Album = ReturnType<typeof openAlbum>

/** What docs/tour.md shows, in its order. */
export const picturesShown = (): string[] =>
  Array.from(readFileSync(TOUR, 'utf8').matchAll(/\]\(pictures\/tour\/([a-z-]+)\.png\)/g), ([, name]) => name!)
