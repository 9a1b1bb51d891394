import { expect, test } from 'vitest'
import { CallerScope } from '../access/scopes.ts'
import { digestOf } from '../access/tokens.ts'
import { PNG, uploadFile } from '../../test/kit/venue/uploads.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { publicImageUrl, attachPublicImage } from './public-images.ts'
import { markBlobsDiscarded } from './records.ts'

const openShelf = async () => {
  const venue = await openVenue()
  const { app, origin, office, report } = venue
  const scopeOf = async (description: string) => {
    const digest = digestOf(report.api_tokens[description]!)
    return new CallerScope(app, (await app.directory.findCaller({ digest, eventSlug: null }))!.caller)
  }
  const take = async (signedId: string, who = 'office write') => {
    const scope = await scopeOf(who)
    return scope.transaction((tx) => attachPublicImage(scope, tx, signedId, 'voucher_image'))
  }
  const keyOf = async (id: number | null) =>
    (
      await app.database.pool.query<{ key: string }>('select key from blobs where account_id = $1 and id = $2', [
        report.account.id,
        id,
      ])
    ).rows[0]!.key
  const fetchImage = (key: string) => {
    const url = publicImageUrl(app, { accountId: report.account.id, key })
    return fetch(origin + new URL(url).pathname)
  }
  const upload = (path: string, bytes = PNG, type = 'image/png', client = office) =>
    uploadFile({ origin, client, path }, bytes, 'card.png', type)
  return { ...venue, scopeOf, take, keyOf, fetchImage, upload }
}

test('an image brought for a voucher becomes public when it is taken', async () => {
  const { upload, take, keyOf, fetchImage, scopeOf, reader, partner } = await openShelf()
  const file = await upload('/admin/direct_uploads')
  const id = (await take(file.signed_id))!
  const key = await keyOf(id)
  const reply = await fetchImage(key)
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(PNG)
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  expect(await take(file.signed_id)).toBeNull()

  const scope = await scopeOf('office write')
  await scope.transaction((tx) => markBlobsDiscarded(tx, [id]))
  expect((await fetchImage(key)).status).toBe(404)
  expect(await reader.post('/admin/direct_uploads', {})).toRefuse(401)
  expect(await partner.post('/admin/direct_uploads', {})).toRefuse(401)
})

test('a draft of a task is copied: the copy is public, the draft stays private and can still be embedded', async () => {
  const { upload, take, keyOf, fetchImage, office, moveClock, workOffJobs } = await openShelf()
  const draft = await upload('/admin/task_uploads')
  const key = await keyOf(await take(draft.signed_id))
  expect(draft.signed_id.startsWith(key)).toBe(false)
  expect((await fetchImage(key)).status).toBe(200)
  expect((await fetchImage(draft.signed_id.slice(0, 22))).status).toBe(404)
  const description = `<action-text-attachment sgid="${draft.attachable_sgid}"></action-text-attachment>`
  expect((await office.post('/admin/tasks', { task: { title: 'x', description } })).body.attachments).toHaveLength(1)
  expect(await take(draft.signed_id)).toBeNull()

  await moveClock('3 days')
  await workOffJobs()
  await moveClock('-3 days')
  expect((await fetchImage(key)).status).toBe(200)
})

test('what is no image, not there, or somebody else’s is not taken', async () => {
  const { upload, take, client, report } = await openShelf()
  const foreign = await openShelf()
  const mara = client(report.api_tokens['mara write'])
  const html = Buffer.from('<script>alert(1)</script>')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  expect(await take((await upload('/admin/direct_uploads', html)).signed_id)).toBeNull()
  expect(await take((await upload('/admin/direct_uploads', svg, 'image/svg+xml')).signed_id)).toBeNull()
  expect(await take((await upload('/admin/task_uploads', PNG, 'image/png', mara)).signed_id)).toBeNull()
  expect(await take((await foreign.upload('/admin/direct_uploads')).signed_id)).toBeNull()
  expect(await take((await upload('/admin/direct_uploads')).attachable_sgid)).toBeNull()
  expect(await take('nothing')).toBeNull()
})

test('an image that was only brought is not public yet', async () => {
  const { upload, fetchImage, partner, office } = await openShelf()
  const file = await upload('/admin/direct_uploads')
  expect((await fetchImage(file.signed_id.slice(0, 22))).status).toBe(404)
  expect(await office.get(`/admin/task_uploads/${file.signed_id}`)).toRefuse(404)
  expect(await partner.get(`/admin/task_uploads/${file.signed_id}`)).toRefuse(404)
})
