import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../test/kit/venue/client.ts'
import { PNG, announce, bring, embed, uploadFile } from '../../test/kit/venue/uploads.ts'
import { openVenueIn } from '../../test/kit/venue/venue-in.ts'
import { type OpenApp, openTestApp } from '../../test/kit/venue/venue.ts'

const BUCKET = 'foyer'

let folder: string
let store: S3rver
let running: OpenApp
let office: Client
let storeAddress: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-store-'))
  store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port } = await store.run()
  storeAddress = `http://127.0.0.1:${port}`
  running = await openTestApp({
    environment: {
      S3_ENDPOINT: storeAddress,
      S3_BUCKET: BUCKET,
      // What the test server knows; it checks signatures with them.
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
  })
  office = (await openVenueIn(running)).client('office write')
})
afterAll(async () => {
  await running.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const start = async (bytes: Buffer, name = 'plan.pdf', type = 'application/pdf') =>
  (await office.post('/admin/task_uploads', announce(bytes, name, type))).body

test('bytes go straight to the store, are embedded, and come back through us', async () => {
  const file = await uploadFile({ origin: running.origin, client: office }, PNG, 'stage.png', 'image/png')
  expect(file.direct_upload.url.startsWith(`${storeAddress}/${BUCKET}/incoming/`)).toBe(true)
  const { body: task } = await office.post('/admin/tasks', {
    task: { title: 'x', description: embed(file.attachable_sgid) },
  })
  expect(task.attachments[0]).toMatchObject({ filename: 'stage.png', content_type: 'image/png', byte_size: PNG.length })

  const reply = await office.get(task.attachments[0].url, { headers: { range: 'bytes=1-3' } })
  expect([reply.status, reply.text, reply.headers.get('content-disposition')?.split(';')[0]]).toEqual([
    206,
    'PNG',
    'inline',
  ])
})

test('an address is signed for one file, one type, one checksum and one length', async () => {
  const file = await start(PNG)
  const { url, headers } = file.direct_upload
  const put = async (address: string, more: object) =>
    (await fetch(address, { method: 'PUT', headers: { ...headers, ...more }, body: PNG })).status
  expect(await put(url.replace(/(incoming\/)\w+/, '$1other'), {})).toBe(403)
  expect(await put(url, { 'Content-Type': 'text/html' })).toBe(403)
  expect(await put(url, { 'Content-MD5': 'XUFAKrxLKna5cZ2REBfFkg==' })).toBe(403)
  expect(await put(url, {})).toBe(200)

  // What counts against the quota is what is announced.
  const { blob } = announce(PNG, 'plan.pdf', 'application/pdf')
  const small = (await office.post('/admin/task_uploads', { blob: { ...blob, byte_size: 1 } })).body.direct_upload
  expect((await fetch(small.url, { method: 'PUT', headers: small.headers, body: PNG })).status).toBe(403)
})

test('bytes that are not what was announced are never taken over', async () => {
  const file = await start(PNG)
  await bring(running.origin, file, Buffer.concat([PNG, PNG]))
  expect(
    await office.post('/admin/tasks', { task: { title: 'x', description: embed(file.attachable_sgid) } }),
  ).toRefuse(422)
  expect(await office.get(`/admin/task_uploads/${file.signed_id}`)).toRefuse(404)
  const missing = await start(PNG)
  expect(
    await office.post('/admin/tasks', { task: { title: 'x', description: embed(missing.attachable_sgid) } }),
  ).toRefuse(422)
})

test('what was taken over cannot be changed through its old address', async () => {
  const bytes = Buffer.from('The plan of the evening')
  const file = await start(bytes)
  await bring(running.origin, file, bytes)
  await office.post('/admin/tasks', { task: { title: 'x', description: embed(file.attachable_sgid) } })
  await bring(running.origin, file, Buffer.from('The plan of the morning'))
  expect((await office.get(`/admin/task_uploads/${file.signed_id}`)).text).toBe(bytes.toString())
})

test('deleted files leave the store, and a store that is away is told as such', async () => {
  const file = await uploadFile({ origin: running.origin, client: office }, PNG, 'stage.png', 'image/png')
  const { body: task } = await office.post('/admin/tasks', {
    task: { title: 'x', description: embed(file.attachable_sgid) },
  })
  const draft = await start(PNG)
  await office.delete(`/admin/tasks/${task.id}`)
  await running.workOffJobs()
  expect(await office.get(`/admin/task_uploads/${file.signed_id}`)).toRefuse(404)

  await store.close()
  expect(await office.get(`/admin/task_uploads/${draft.signed_id}`)).toRefuse(503)
  expect(
    await office.post('/admin/tasks', { task: { title: 'x', description: embed(draft.attachable_sgid) } }),
  ).toRefuse(503)
  expect((await office.post('/admin/tasks', { task: { title: 'no file' } })).status).toBe(201)
  await store.run()
})
