import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'

/**
 * Makes the pictures of docs/door-app.md from what the tests have seen:
 * `FOYER_SCREENSHOTS=FOLDER npx vitest run test/browser/door-looks.test.ts`, then this with the same folder.
 */
const PICTURES = path.join(import.meta.dirname, '../../../docs/pictures')

const SHEETS: Record<string, string[]> = {
  'door-verdicts': ['in', 'in_note', 'already', 'wrong_event', 'refused', 'unpaid', 'unknown'].map(
    (name) => `door-${name}-dark`,
  ),
  'door-screens': ['door-unpaired-dark', 'door-ready-dark', 'door-more-dark', 'door-ready-light'],
}

const WIDTH = 150
const HEIGHT = Math.round((WIDTH * 640) / 360)
const GAP = 8

const folder = process.env['FOYER_SCREENSHOTS']
if (!folder) throw new Error('FOYER_SCREENSHOTS names the folder of the pictures.')
await mkdir(PICTURES, { recursive: true })
for (const [name, faces] of Object.entries(SHEETS)) {
  const placed = await Promise.all(
    faces.map(async (face, n) => ({
      input: await sharp(path.join(folder, `${face}.png`))
        .resize(WIDTH, HEIGHT)
        .toBuffer(),
      left: n * (WIDTH + GAP),
      top: 0,
    })),
  )
  const size = { width: faces.length * (WIDTH + GAP) - GAP, height: HEIGHT }
  await sharp({ create: { ...size, channels: 4, background: '#00000000' } })
    .composite(placed)
    .png({ palette: true, colours: 64, compressionLevel: 9 })
    .toFile(path.join(PICTURES, `${name}.png`))
}
