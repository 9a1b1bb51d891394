import sharp from 'sharp'
import { expect, test } from 'vitest'
import { atShop } from '../../../test/kit/venue/shop.ts'
import { uploadFile } from '../../../test/kit/venue/uploads.ts'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'

const gala = { title: 'Gala', slug: 'gala', starts_at: '2030-04-15T18:00:00Z' }

const picture = (background: string) =>
  sharp({ create: { width: 800, height: 400, channels: 3, background } })
    .jpeg()
    .toBuffer()

const upload = async (venue: Venue, bytes: Buffer, client = venue.office, type = 'image/jpeg') =>
  (await uploadFile({ origin: venue.origin, client, path: '/admin/direct_uploads' }, bytes, 'a.jpg', type)).signed_id

test('pictures of an event and its performers are uploaded, and shown in every width', async () => {
  const venue = await openVenue()
  const colors = ['#100000', '#200000', '#300000', '#400000']
  const [image, background, gallery, performer] = await Promise.all(
    colors.map(async (color) => upload(venue, await picture(color))),
  )
  const made = await venue.office.post('/admin/events', {
    event: {
      ...gala,
      image,
      background_image: background,
      gallery_images: ['https://pictures.example/1.jpg', gallery],
      performers: [{ name: 'Low Tides', image: performer }, { name: 'Die Flut' }],
    },
  })
  expect(made.status, made.text).toBe(201)
  const { body } = made
  const shown = [body.image, body.background_image, body.gallery_images[1], body.performers[0].image]
  expect(body.gallery_images[0]).toBe('https://pictures.example/1.jpg')
  for (const url of shown) {
    const { pathname } = new URL(url)
    const whole = await atShop(venue).ask('GET', pathname)
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const small = await atShop(venue).ask('GET', pathname.replace('.jpg', '-320.webp'))
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
  }

  const next = await upload(venue, await picture('#500000'))
  const changed = await venue.office.patch('/admin/events/gala', { event: { image: next } })
  expect(changed.status, changed.text).toBe(200)
  expect(changed.body.image).not.toBe(body.image)
  expect(changed.body.background_image).toBe(body.background_image)
  const same = { image: changed.body.image, performers: changed.body.performers, gallery_images: body.gallery_images }
  expect((await venue.office.patch('/admin/events/gala', { event: same })).body).toEqual(changed.body)

  const copied = await venue.office.post('/admin/events/gala/copy', { event: { starts_at: gala.starts_at } })
  expect(copied.body.image).toBe(changed.body.image)
})

test('what is no image, is somebody else’s, or was used before is refused by field, and nothing changes', async () => {
  const venue = await openVenue()
  const other = await openVenue()
  const { office } = venue
  await office.post('/admin/events', { event: gala })
  const mine = await upload(venue, await picture('#600000'))
  const theirs = await upload(other, await picture('#700000'), other.office)
  const text = await upload(venue, Buffer.from('hello'), office, 'text/plain')
  const patch = (event: object) => office.patch('/admin/events/gala', { event })
  const before = (await office.get('/admin/events/gala')).body

  for (const [event, errors] of [
    [{ image: theirs }, { image: ['is invalid'] }],
    [{ image: 'A'.repeat(46) }, { image: ['is invalid'] }],
    [{ background_image: text }, { background_image: [expect.stringMatching(/^is no /)] }],
    [{ image: mine, gallery_images: [mine] }, { 'gallery_images[0]': ['is invalid'] }],
    [{ performers: [{ name: 'x', image: theirs }] }, { 'performers[0].image': ['is invalid'] }],
    [{ image: 'http://pictures.example/1.jpg' }, { image: ['is invalid'] }],
  ] as const) {
    const refused = await patch(event)
    expect(refused.status, refused.text).toBe(422)
    expect(refused.body.errors).toEqual(errors)
  }
  expect((await office.get('/admin/events/gala')).body).toEqual(before)

  expect((await patch({ image: mine })).status).toBe(200)
  const again = await patch({ background_image: mine })
  expect([again.status, again.body.errors]).toEqual([422, { background_image: ['is invalid'] }])
})

test('a picture of more than twenty megabytes, or of too many pixels, is refused', async () => {
  const venue = await openVenue()
  await venue.office.post('/admin/events', { event: gala })
  const patch = (image: string) => venue.office.patch('/admin/events/gala', { event: { image } })
  const large = Buffer.concat([await picture('#800000'), Buffer.alloc(20 * 1024 * 1024)])
  await expect(upload(venue, large)).rejects.toThrow('422')
  const bomb = await sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: '#900000' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  expect((await patch(await upload(venue, bomb, venue.office, 'image/png'))).body.errors).toEqual({
    image: ['has too many pixels'],
  })
})
