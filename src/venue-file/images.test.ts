import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import { loadVenue } from './load-venue.ts'
import { askAtHost } from '../../test/kit/network/ask-at-host.ts'
import { type VenueFile, neueHalle } from '../../test/kit/venue/neue-halle.ts'
import { theApp } from '../../test/kit/venue/venue.ts'

let folder: string
let picture: Buffer

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-venue-'))
  picture = await sharp({ create: { width: 1000, height: 500, channels: 3, background: '#8a2432' } })
    .png()
    .toBuffer()
  await mkdir(path.join(folder, 'venue/pictures'), { recursive: true })
  await writeFile(path.join(folder, 'venue/pictures/ball.png'), picture)
  await writeFile(path.join(folder, 'venue/notes.txt'), 'no image')
  await writeFile(path.join(folder, 'secret.png'), picture)
  await symlink(path.join(folder, 'secret.png'), path.join(folder, 'venue/link.png'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const load = async (subdomain: string, change: (event: VenueFile) => void) => {
  const running = await theApp()
  const file = neueHalle(subdomain)
  change(file['events'][0])
  return {
    ...running,
    report: await loadVenue(running.app, JSON.stringify(file), { folder: path.join(folder, 'venue') }),
  }
}

test('pictures beside the venue file are shown at the shop, also small', async () => {
  const { origin, report } = await load('pictured', (event) => {
    event['image'] = 'pictures/ball.png'
    event['gallery_images'] = ['./pictures/ball.png', 'https://cdn.example/2.jpg']
    event['performers'] = [{ name: 'Ana', image: 'pictures/ball.png' }]
  })
  const host = new URL(report.account.shop_url).host
  const get = (address: string) =>
    askAtHost(origin, address.replace(report.account.shop_url, ''), { method: 'GET', headers: { host } })

  const event = (await (await get('/events/winter-ball')).json()) as {
    image_url: string
    gallery_image_urls: string[]
    performers: { image_url: string }[]
  }
  expect(event.image_url).toMatch(new RegExp(`^${report.account.shop_url}/images/[0-9a-f]{64}-1280\\.webp$`))
  expect(event.gallery_image_urls).toEqual([event.image_url, 'https://cdn.example/2.jpg'])
  expect(event.performers[0]!.image_url).toBe(event.image_url.replace('-1280', '-640'))

  const small = await get(event.performers[0]!.image_url)
  expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(small.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(small.headers.get('x-content-type-options')).toBe('nosniff')
  expect(small.headers.get('access-control-allow-origin')).toBe('*')
  expect(await sharp(Buffer.from(await small.arrayBuffer())).metadata()).toMatchObject({ width: 640, height: 320 })

  const whole = await get(event.image_url.replace('-1280.webp', '.png'))
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(picture)
  for (const odd of ['-641.webp', '-640.png', '.svg', '.png/x', '']) {
    expect((await get(event.image_url.replace('-1280.webp', odd))).status, odd).toBe(404)
  }
  expect((await get(`/images/${'0'.repeat(64)}-640.webp`)).status).toBe(404)
  expect((await get('/images/..%2F..%2Fsecret')).status).toBe(404)
})

test.each([
  ['pictures/gone.png', 'there is no file "pictures/gone.png" beside the venue file'],
  ['../secret.png', 'there is no file "../secret.png" beside the venue file'],
  ['link.png', 'there is no file "link.png" beside the venue file'],
  ['pictures', 'there is no file "pictures" beside the venue file'],
  ['notes.txt', 'is no PNG, JPEG, GIF, WebP or AVIF image'],
])('a venue file that names %s is refused at that place', async (name, sentence) => {
  await expect(load('refused', (event) => (event['image'] = name))).rejects.toThrow(`events[0].image: ${sentence}.`)
})
