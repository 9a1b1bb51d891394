import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { imageUrl, parseImageName } from '../images/names.ts'
import { openDiskImages } from './disk-images.ts'
import { type StoredImage, readImageOrThumbnail, storeImage } from './event-images.ts'
import type { ContentAddressedFiles } from './storage.ts'

let folder: string
let images: ContentAddressedFiles
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-images-'))
  images = openDiskImages(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const bytesOf = async (image: StoredImage | null) => Buffer.concat(await image!.bytes.toArray())

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8a2432' } })

test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
  'a %s is kept under the digest of its bytes, once',
  async (format) => {
    const bytes = await canvas(40, 30).toFormat(format).toBuffer()
    const stored = await storeImage(images, bytes)
    expect(stored).toMatch(/^file:[0-9a-f]{64}\.(png|jpg|gif|webp|avif)$/)
    expect(await storeImage(images, bytes)).toBe(stored)

    const found = await readImageOrThumbnail(images, parseImageName(stored.slice('file:'.length))!)
    expect(await bytesOf(found)).toEqual(bytes)
    expect(found).toMatchObject({ type: `image/${format}`, size: bytes.length })
  },
)

test('nobody else on the machine can list or read what is kept, be it of an event that nobody knows of yet', async () => {
  const stored = await storeImage(images, await canvas(10, 10).png().toBuffer())
  const kept = path.join(folder, 'images')
  const modes = []
  for (const place of [kept, path.join(kept, 'arriving'), path.join(kept, stored.slice('file:'.length))])
    modes.push((await stat(place)).mode & 0o777)
  expect(modes).toEqual([0o700, 0o700, 0o600])
})

test('a thumbnail is made when it is first asked for, and kept', async () => {
  const stored = await storeImage(images, await canvas(2000, 1000).jpeg().toBuffer())
  const name = parseImageName(imageUrl('', stored, 640).split('/').at(-1)!)!
  const [found] = await Promise.all([readImageOrThumbnail(images, name), readImageOrThumbnail(images, name)])
  expect(found!.type).toBe('image/webp')
  const bytes = await bytesOf(found)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 640, height: 320 })
  const again = await readImageOrThumbnail(images, name)
  expect(again).toMatchObject({ type: found!.type, size: found!.size })
  expect(await bytesOf(again)).toEqual(bytes)
  expect((await readdir(path.join(folder, 'images'))).filter((each) => each.includes('-640'))).toHaveLength(1)
})

test('a thumbnail is upright, says nothing of the camera, and never grows', async () => {
  const turned = await canvas(400, 100)
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '53/1 32/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const stored = await storeImage(images, turned)
  const found = await readImageOrThumbnail(images, parseImageName(imageUrl('', stored, 1280).split('/').at(-1)!)!)
  const { width, height, exif } = await sharp(await bytesOf(found)).metadata()
  expect([width, height, exif]).toEqual([100, 400, undefined])
})

test.each(['png', 'jpeg', 'webp', 'avif'] as const)(
  'a %s from a phone is kept upright, without where it was taken',
  async (format) => {
    const taken = canvas(40, 10).withExif({
      IFD0: { Copyright: 'Nobody else' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '53/1 32/1 0/1' },
    })
    const turned = await taken.withMetadata({ orientation: 6 }).toFormat(format).toBuffer()
    expect((await sharp(turned).metadata()).exif).toBeDefined()
    const stored = await storeImage(images, turned)
    const kept = await bytesOf(await readImageOrThumbnail(images, parseImageName(stored.slice('file:'.length))!))
    const { width, height, exif, xmp, format: written } = await sharp(kept).metadata()
    expect([width, height, exif, xmp]).toEqual([10, 40, undefined, undefined])
    expect(written).toBe((await sharp(turned).metadata()).format)
    // Brought again, as an export does, it stays what it is.
    expect(await storeImage(images, kept)).toBe(stored)
  },
)

test.each([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['HTML that calls itself a GIF', Buffer.from('GIF89a<script>alert(1)</script>')],
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('hello')],
])('%s is refused', async (_name, bytes) => {
  await expect(storeImage(images, bytes)).rejects.toThrow(/^is no /)
})

test('an image cut short is refused', async () => {
  const bytes = await sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: 'red',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
  await expect(storeImage(images, bytes.subarray(0, bytes.length / 2))).rejects.toThrow('is no image that can be read')
})

test('an image of too many pixels or bytes is refused', async () => {
  const bomb = await canvas(16_000, 16_000).png({ compressionLevel: 9 }).toBuffer()
  await expect(storeImage(images, bomb)).rejects.toThrow('has too many pixels')
  await expect(storeImage(images, Buffer.alloc(21 * 1024 * 1024))).rejects.toThrow('is larger than 20 MB')
})

test('only names of our own making name an image', () => {
  const digest = 'a'.repeat(64)
  expect(parseImageName(`${digest}.png`)).toEqual({ digest, extension: 'png', width: null })
  expect(parseImageName(`${digest}-640.webp`)).toEqual({ digest, extension: 'webp', width: 640 })
  for (const name of [
    `${digest}-641.webp`,
    `${digest}-640.png`,
    `${digest}.svg`,
    `${digest}.html`,
    `${digest}.toString`,
    `../${digest}.png`,
    `${digest.slice(1)}.png`,
    `${digest.toUpperCase()}.png`,
    `${digest}.png/..`,
    '',
  ]) {
    expect(parseImageName(name), name).toBeNull()
  }
})

test('an address elsewhere stays as it is; one of ours stands at the shop', () => {
  expect(imageUrl('https://a.shops.example', 'https://cdn.example/x.jpg', 640)).toBe('https://cdn.example/x.jpg')
  expect(imageUrl('https://a.shops.example', `file:${'a'.repeat(64)}.jpg`)).toBe(
    `https://a.shops.example/images/${'a'.repeat(64)}.jpg`,
  )
  expect(imageUrl('https://a.shops.example', null)).toBeNull()
})
