import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockImagesForUse } from '../events/images/records.ts'
import { loadVenue } from './load-venue.ts'
import { askAtHost } from '../../test/kit/network/ask-at-host.ts'
import { type VenueFile, neueHalle } from '../../test/kit/venue/neue-halle.ts'
import { openSecondApp } from '../../test/kit/venue/second-app.ts'
import { type OpenApp, openTestApp } from '../../test/kit/venue/venue.ts'

const BUCKET = 'foyer'

let folder: string
let store: S3rver
let onDisk: OpenApp
let inStore: OpenApp

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-images-'))
  await mkdir(path.join(folder, 'venue'))
  for (const [name, background] of Object.entries({ ball: '#8a2432', gala: '#12323f', band: '#7fb7a6' })) {
    const picture = sharp({ create: { width: 1000, height: 500, channels: 3, background } })
    await writeFile(path.join(folder, 'venue', `${name}.png`), await picture.png().toBuffer())
  }
  store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: path.join(folder, 'store'),
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port } = await store.run()
  onDisk = await openTestApp()
  inStore = await openTestApp({
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      // What the test server knows; it checks signatures with them.
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
  })
})
afterAll(async () => {
  await onDisk.close()
  await inStore.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const load = async ({ app }: OpenApp, subdomain: string, change: (event: VenueFile) => void) => {
  const file = neueHalle(subdomain)
  change(file['events'][0])
  const report = await loadVenue(app, JSON.stringify(file), { folder: path.join(folder, 'venue') })
  const shop = report.account.shop_url
  const get = async (origin: string, address: string) => {
    const headers = { host: new URL(shop).host }
    const reply = await askAtHost(origin, address.replace(shop, ''), { method: 'GET', headers })
    return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
  }
  const show = async (origin: string) => JSON.parse((await get(origin, '/events/winter-ball')).bytes.toString())
  return { get, show, eventId: report.events['winter-ball']!.id }
}

const originalOf = (address: string) => address.replace(/-\d+\.webp$/, '.png')

test('a picture that one process stored is shown by another with a folder of its own', async () => {
  const { get, show } = await load(inStore, 'several-machines', (event) => (event['image'] = 'ball.png'))
  const dataFolder = path.join(folder, 'elsewhere')
  const { app } = inStore
  const other = await openSecondApp({ app: { ...app, settings: { ...app.settings, dataFolder } } })
  try {
    const { image_url: address } = await show(other.origin)
    const small = await get(other.origin, address)
    expect(small.status).toBe(200)
    expect(small.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(small.headers.get('content-length')).toBe(String(small.bytes.length))
    expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'webp', width: 1000, height: 500 })

    expect((await get(inStore.origin, address)).bytes).toEqual(small.bytes)
    const whole = await get(other.origin, originalOf(address))
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(whole.headers.get('content-length')).toBe(String(whole.bytes.length))
    expect((await get(other.origin, `/images/${'0'.repeat(64)}-640.webp`)).status).toBe(404)
    expect((await get(other.origin, `/images/${'0'.repeat(64)}.png`)).status).toBe(404)
  } finally {
    await other.close()
  }
  for (const each of [inStore.dataFolder, dataFolder]) {
    expect(await readdir(each).catch(() => [])).not.toContain('images')
  }
})

test.each([
  ['on the disk', () => onDisk],
  ['in a store', () => inStore],
])('pictures %s that no event shows any more are swept with their thumbnails, the others stay', async (_, where) => {
  const running = where()
  const { get, show, eventId } = await load(running, 'sweeping', (event) => {
    Object.assign(event, { image: 'gala.png', gallery_images: ['ball.png'] })
    event['performers'] = [{ name: 'Ana', image: 'band.png' }]
  })
  const event = await show(running.origin)
  const gone = [event.image_url, originalOf(event.image_url)]
  const kept = [event.gallery_image_urls[0], event.performers[0].image_url].flatMap((each) => [each, originalOf(each)])
  const statuses = (addresses: string[]) =>
    Promise.all(addresses.map(async (each) => (await get(running.origin, each)).status))
  const sweep = async () => {
    await running.moveClock('1 day')
    await running.workOffJobs()
  }
  expect(await statuses([...gone, ...kept])).toEqual([200, 200, 200, 200, 200, 200])
  await sweep()
  expect(await statuses([...gone, ...kept])).toEqual([200, 200, 200, 200, 200, 200])

  const { pool, kysely } = running.app.database
  await pool.query('update events set image = null where id = $1', [eventId])
  await kysely.transaction().execute(async (db) => {
    // Whoever stores pictures may be about to show one that nobody shows yet.
    await lockImagesForUse({ db })
    await sweep()
    expect(await statuses(gone)).toEqual([200, 200])
  })

  await sweep()
  expect(await statuses([...gone, ...kept])).toEqual([404, 404, 200, 200, 200, 200])
})

test('a picture that cannot be stored refuses the venue file at its place, and nothing of it is loaded', async () => {
  await store.close()
  const loading = load(inStore, 'away', (event) => (event['image'] = 'ball.png'))
  await expect(loading).rejects.toThrow('events[0].image: could not be stored; try again later.')
  await store.run()
  const { rows } = await inStore.app.database.pool.query(`select from accounts where subdomain = 'away'`)
  expect(rows).toEqual([])
})
