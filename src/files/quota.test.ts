import { once } from 'node:events'
import { statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { checkAll } from '../../test/kit/database/consistency.ts'
import { PNG, announce, bring, uploadFile } from '../../test/kit/venue/uploads.ts'
import { openVenueIn } from '../../test/kit/venue/venue-in.ts'
import { openTestApp } from '../../test/kit/venue/venue.ts'
import { UploadAborted } from './check-bytes.ts'
import { openDiskStorage } from './disk-storage.ts'
import { StorageUnavailable } from './storage.ts'

const MB = 1024 * 1024
const NO_ROOM = 'is more than the account has room for'

const openSmallAccount = async () => {
  const running = await openTestApp({ environment: { FOYER_UPLOAD_QUOTA: '1 MB' } })
  onTestFinished(() => running.close())
  const { client } = await openVenueIn(running)
  const office = client('office write')
  const bytesOf = (size: number) => Buffer.alloc(size, 'plan')
  const announceOne = (size: number, path = '/admin/task_uploads') =>
    office.post(path, announce(bytesOf(size), 'plan.png', 'image/png'))
  return { ...running, running, office, announceOne, bytesOf }
}

test('files that are announced at once do not pass the quota together, and bring nothing else to a halt', async () => {
  const { running, announceOne, app, origin, bytesOf } = await openSmallAccount()
  const replies = await Promise.all(Array.from({ length: 12 }, () => announceOne(0.3 * MB)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
  for (const reply of replies.filter(({ status }) => status !== 200)) {
    expect(reply).toRefuse(422, { byte_size: [NO_ROOM] })
  }
  expect((await announceOne(0.1 * MB, '/admin/direct_uploads')).status).toBe(200)
  expect(await announceOne(0.1 * MB, '/admin/direct_uploads')).toRefuse(422, { byte_size: [NO_ROOM] })

  const draft = replies.find(({ status }) => status === 200)!.body
  expect((await bring(origin, draft, bytesOf(0.3 * MB))).status).toBe(204)

  const other = (await openVenueIn(running)).client('office write')
  expect((await other.post('/admin/task_uploads', announce(PNG, 'dot.png', 'image/png'))).status).toBe(200)
  expect(await checkAll(app)).toEqual([])
})

test('whatever is swept makes room again', async () => {
  const { announceOne, moveClock, workOffJobs, app } = await openSmallAccount()
  expect((await announceOne(MB)).status).toBe(200)
  expect((await announceOne(1)).status).toBe(422)
  await moveClock('25 hours')
  await workOffJobs()
  expect((await announceOne(MB)).status).toBe(200)
  expect(await checkAll(app)).toEqual([])
  await app.database.pool.query('update upload_totals set bytes = bytes + 1')
  expect(await checkAll(app)).toEqual([expect.objectContaining({ what: 'uploads', counted: MB, kept: MB + 1 })])
})

test('a picture that is copied for a product counts as well', async () => {
  const { office, origin, announceOne, app } = await openSmallAccount()
  const picture = await uploadFile({ origin, client: office }, PNG, 'dot.png', 'image/png')
  expect((await announceOne(MB - PNG.length)).status).toBe(200)
  const product = { name: 'Gift', pricing_type: 'fixed', fixed_amount: '25.00', image: picture.signed_id }
  expect(await office.post('/admin/voucher_products', { voucher_product: product })).toRefuse(422, { image: [NO_ROOM] })
  expect(await checkAll(app)).toEqual([])
})

const onDisk = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-reserve-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { bsize, blocks, bavail } = statfsSync(folder)
  const free = bavail * bsize - Math.min(1024 * MB, (blocks * bsize) / 20)
  const file = (byteSize: number) => ({ key: 'plan', contentType: 'image/png', byteSize, checksum: '' })
  return { storage: openDiskStorage(folder), free, file }
}

test('uploads leave the disk a reserve, also those that arrive at once', async () => {
  const { storage, free, file } = await onDisk()
  // Others use this disk too, so what is asked for is well beyond or well below.
  expect(await storage.invite(file(free / 2))).toBeNull()
  await expect(storage.invite(file(free + 512 * MB))).rejects.toThrow(StorageUnavailable)
  await expect(storage.take(file(free + 512 * MB), Readable.from([]))).rejects.toThrow(StorageUnavailable)

  const arriving = new PassThrough()
  const first = storage.take(file(free * 0.75), arriving)
  first.catch(() => {})
  await once(arriving, 'resume')
  await expect(storage.take(file(free / 2), Readable.from([]))).rejects.toThrow(StorageUnavailable)
  await expect(storage.invite(file(free / 2))).rejects.toThrow(StorageUnavailable)
  arriving.destroy()
  await expect(first).rejects.toThrow(UploadAborted)
  expect(await storage.invite(file(free / 2))).toBeNull()
})
