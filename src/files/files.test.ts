import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PNG, announce, bring, uploadFile } from '../../test/kit/venue/uploads.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

const TEXT = Buffer.from('The plan of the evening')

const storedFiles = async (dataFolder: string) => {
  const files = await readdir(path.join(dataFolder, 'uploads'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return files.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

const openUpload = async (bytes = TEXT, filename = 'plan.txt', type = 'text/plain') => {
  const venue = await openVenue()
  const { body } = await venue.office.post('/admin/task_uploads', announce(bytes, filename, type))
  const isThere = async () => (await venue.office.get(`/admin/task_uploads/${body.signed_id}`)).status === 200
  return {
    ...venue,
    upload: body,
    isThere,
    put: (given: Buffer, headers = {}) => bring(venue.origin, body, given, headers),
  }
}

test('a file is announced, brought and fetched', async () => {
  const { office, upload, put, isThere } = await openUpload()
  expect(upload).toMatchObject({
    signed_id: expect.any(String),
    attachable_sgid: expect.any(String),
    direct_upload: { url: expect.stringMatching(/^http:/), headers: { 'Content-Type': 'text/plain' } },
  })
  expect(upload.signed_id).not.toBe(upload.attachable_sgid)
  expect(await isThere()).toBe(false)
  expect((await put(TEXT)).status).toBe(204)

  const file = await office.get(`/admin/task_uploads/${upload.signed_id}`)
  expect([file.status, file.text]).toEqual([200, TEXT.toString()])
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'text/plain',
    'content-length': String(TEXT.length),
    'content-disposition': `attachment; filename="plan.txt"; filename*=UTF-8''plan.txt`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
})

test.each([
  ['other bytes of the same length', Buffer.from('The plan of the morning'), {}],
  ['half a file', TEXT.subarray(0, 10), {}],
  ['more than announced', Buffer.concat([TEXT, TEXT]), {}],
  ['nothing', Buffer.alloc(0), {}],
  ['another type', TEXT, { 'Content-Type': 'text/html' }],
  ['another checksum', TEXT, { 'Content-MD5': 'XUFAKrxLKna5cZ2REBfFkg==' }],
])('%s is refused, and the file is not there', async (_what, bytes, headers) => {
  const { put, isThere, dataFolder } = await openUpload()
  const before = await storedFiles(dataFolder)
  expect((await put(bytes, headers)).status).toBe(422)
  expect(await isThere()).toBe(false)
  expect(await storedFiles(dataFolder)).toEqual(before)
  expect((await put(TEXT)).status).toBe(204)
})

test('bytes without a length are counted as they come, and whoever never stops is cut off', async () => {
  const { origin, upload, isThere } = await openUpload()
  const { pathname } = new URL(upload.direct_upload.url)
  const call = request(origin + pathname, { method: 'PUT', headers: upload.direct_upload.headers })
  const answered = once(call, 'response')
  const cutOff = new Promise((resolve) => call.once('close', resolve))
  call.on('error', () => {})
  const pour = () => {
    while (!call.destroyed && call.write(randomBytes(64 * 1024)));
    if (!call.destroyed) call.once('drain', pour)
  }
  pour()
  const [answer] = (await answered) as [IncomingMessage]
  expect(answer.statusCode).toBe(422)
  await cutOff
  expect(await isThere()).toBe(false)
})

test('a connection that breaks off leaves nothing behind', async () => {
  const { origin, upload, isThere, dataFolder, put } = await openUpload(randomBytes(200_000))
  const before = await storedFiles(dataFolder)
  await new Promise<void>((resolve) => {
    const { pathname } = new URL(upload.direct_upload.url)
    const call = request(origin + pathname, {
      method: 'PUT',
      headers: { ...upload.direct_upload.headers, 'content-length': 200_000 },
    })
    call.on('error', () => resolve())
    call.write(randomBytes(100_000), () => call.destroy(new Error('cable pulled')))
  })
  await expect.poll(async () => (await storedFiles(dataFolder)).toSorted()).toEqual(before.toSorted())
  expect(await isThere()).toBe(false)
  expect((await put(Buffer.alloc(10))).status).toBe(422)
})

test('bytes are taken once', async () => {
  const { put, isThere } = await openUpload()
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await put(TEXT)).status))
  expect(statuses.toSorted()).toEqual([204, 422, 422, 422, 422])
  expect((await put(TEXT)).status).toBe(422)
  expect(await isThere()).toBe(true)
})

test('the address is the secret, for an hour', async () => {
  const { origin, upload, put, moveClock, office } = await openUpload()
  const { pathname } = new URL(upload.direct_upload.url)
  const tampered = pathname.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const address of [tampered, '/uploads/nothing', `/uploads/${upload.signed_id}`]) {
    const reply = await fetch(origin + address, { method: 'PUT', headers: upload.direct_upload.headers, body: TEXT })
    expect(reply.status).toBe(404)
  }
  expect(await office.get(`/admin/task_uploads/${upload.attachable_sgid}`)).toRefuse(404)
  for (const n of [0, 10, 30, upload.signed_id.length - 1]) {
    const other = upload.signed_id[n] === 'A' ? 'B' : 'A'
    const changed = upload.signed_id.slice(0, n) + other + upload.signed_id.slice(n + 1)
    expect(await office.get(`/admin/task_uploads/${changed}`)).toRefuse(404)
  }
  await moveClock('61 minutes')
  expect((await put(TEXT)).status).toBe(404)
  await moveClock('-61 minutes')
})

test.each([
  ['no name', { filename: '' }, { filename: ["can't be blank"] }],
  ['a name that is only a folder', { filename: 'plans/' }, { filename: ['is invalid'] }],
  ['no size', { byte_size: null }, { byte_size: ['is not a number'] }],
  ['nothing', { byte_size: 0 }, { byte_size: ['must be greater than or equal to 1'] }],
  ['too much', { byte_size: 20 * 1024 * 1024 + 1 }, { byte_size: ['must be less than or equal to 20971520'] }],
  ['no checksum', { checksum: undefined }, { checksum: ["can't be blank"] }],
  ['a checksum in hex', { checksum: 'd41d8cd98f00b204e9800998ecf8427e' }, { checksum: ['is invalid'] }],
  ['a type with a line break', { content_type: 'text/plain\r\nx: y' }, { content_type: ['is invalid'] }],
])('a file with %s is not announced', async (_what, change, errors) => {
  const { office, reader } = await openVenue()
  const { blob } = announce(TEXT, 'plan.txt', 'text/plain')
  expect(await office.post('/admin/task_uploads', { blob: { ...blob, ...change } })).toRefuse(422, errors)
  expect(await office.post('/admin/task_uploads', {})).toRefuse(400)
  expect(await reader.post('/admin/task_uploads', { blob })).toRefuse(401)
})

test('a file of exactly 20 MB is announced, and one without a type is just bytes', async () => {
  const { office } = await openVenue()
  const { blob } = announce(TEXT, 'plan.txt', 'text/plain')
  const ask = (change: object) => office.post('/admin/task_uploads', { blob: { ...blob, ...change } })
  expect((await ask({ byte_size: 20 * 1024 * 1024 })).status).toBe(200)
  const { body } = await ask({ content_type: undefined })
  expect(body.direct_upload.headers['Content-Type']).toBe('application/octet-stream')
})

test('a name keeps its letters and loses its folders', async () => {
  const { office, upload, put } = await openUpload(TEXT, 'C:\\plans\\..\\Über "uns" 王.txt')
  await put(TEXT)
  const { headers } = await office.get(`/admin/task_uploads/${upload.signed_id}`)
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="_ber _uns_ _.txt"; filename*=UTF-8''%C3%9Cber%20%22uns%22%20%E7%8E%8B.txt`,
  )
})

test('images by their bytes are shown, everything else is a download', async () => {
  const venue = await openVenue()
  const fetchFile = async (bytes: Buffer, name: string, type: string, query = '') => {
    const { signed_id: id } = await uploadFile({ origin: venue.origin, client: venue.office }, bytes, name, type)
    const { headers } = await venue.office.get(`/admin/task_uploads/${id}${query}`, { headers: { accept: 'image/*' } })
    return [headers.get('content-disposition')?.split(';')[0], headers.get('content-type')]
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const html = Buffer.from('<script>alert(1)</script>')
  const pdf = Buffer.from('%PDF-1.7')
  expect(await fetchFile(PNG, 'a.png', 'image/png')).toEqual(['inline', 'image/png'])
  expect(await fetchFile(PNG, 'a.bin', 'application/octet-stream')).toEqual(['inline', 'image/png'])
  expect(await fetchFile(PNG, 'a.png', 'image/png', '?disposition=attachment')).toEqual(['attachment', 'image/png'])
  expect(await fetchFile(svg, 'a.svg', 'image/svg+xml')).toEqual(['attachment', 'application/octet-stream'])
  expect(await fetchFile(html, 'a.png', 'image/png', '?disposition=inline')).toEqual([
    'attachment',
    'application/octet-stream',
  ])
  expect(await fetchFile(html, 'a.html', 'text/html', '?disposition=inline')).toEqual(['attachment', 'text/html'])
  expect(await fetchFile(pdf, 'a.pdf', 'application/pdf', '?disposition=inline')).toEqual([
    'attachment',
    'application/pdf',
  ])
  const { signed_id: id } = await uploadFile({ origin: venue.origin, client: venue.office }, PNG, 'a.png', 'image/png')
  expect(await venue.office.get(`/admin/task_uploads/${id}?disposition=`)).toMatchObject({ status: 200 })
  expect(await venue.office.get(`/admin/task_uploads/${id}?disposition=sideways`)).toRefuse(422, {
    disposition: ['is not included in the list'],
  })
})

test('one range at a time', async () => {
  const { office, upload, put } = await openUpload()
  await put(TEXT)
  const ask = async (range: string, more = {}) => {
    const reply = await office.get(`/admin/task_uploads/${upload.signed_id}`, { headers: { range, ...more } })
    return [reply.status, reply.text, reply.headers.get('content-range')]
  }
  expect(await ask('bytes=4-7')).toEqual([206, 'plan', `bytes 4-7/${TEXT.length}`])
  expect(await ask('bytes=-7')).toEqual([206, 'evening', `bytes 16-22/${TEXT.length}`])
  expect(await ask('bytes=16-')).toEqual([206, 'evening', `bytes 16-22/${TEXT.length}`])
  expect(await ask('bytes=99-')).toEqual([416, '', `bytes */${TEXT.length}`])
  expect(await ask('bytes=0-1,4-7')).toEqual([200, TEXT.toString(), null])
  expect(await ask('bytes=0-1', { 'if-range': '"other"' })).toEqual([200, TEXT.toString(), null])
})

test('a draft that nobody uses is swept after a day, bytes and all', async () => {
  const { office, upload, put, moveClock, workOffJobs, dataFolder, isThere } = await openUpload()
  await put(TEXT)
  await workOffJobs()
  expect(await isThere()).toBe(true)
  const before = await storedFiles(dataFolder)
  await moveClock('25 hours')
  await workOffJobs()
  await moveClock('-25 hours')
  expect(await isThere()).toBe(false)
  expect(before.filter((name) => upload.signed_id.startsWith(name))).toHaveLength(1)
  expect((await storedFiles(dataFolder)).filter((name) => upload.signed_id.startsWith(name))).toEqual([])
  expect(
    await office.post('/admin/tasks', {
      task: { title: 'x', description: `<action-text-attachment sgid="${upload.attachable_sgid}">` },
    }),
  ).toRefuse(422)
})

test('what a crash left of a delivery is removed after a day', async () => {
  const { dataFolder, put, workOffJobs } = await openUpload()
  await put(TEXT)
  const left = (name: string) => path.join(dataFolder, 'uploads', 'arriving', name)
  await writeFile(left('old'), 'half')
  await writeFile(left('new'), 'half')
  const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60
  await utimes(left('old'), twoDaysAgo, twoDaysAgo)
  await workOffJobs()
  expect((await storedFiles(dataFolder)).filter((name) => ['old', 'new'].includes(name))).toEqual(['new'])
})
