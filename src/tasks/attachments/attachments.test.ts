import { expect, test } from 'vitest'
import { PNG, announce, embed, uploadFile } from '../../../test/kit/venue/uploads.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const PLAN = Buffer.from('%PDF-1.7 the plan')

const openBoard = async () => {
  const venue = await openVenue()
  const { origin, office, partner } = venue
  const create = async (task: object) => (await office.post('/admin/tasks', { task })).body
  const upload = (client = office, bytes = PLAN, name = 'plan.pdf', type = 'application/pdf') =>
    uploadFile({ origin, client }, bytes, name, type)
  const readable = async (client: typeof office, { signed_id: id }: { signed_id: string }) =>
    (await client.get(`/admin/task_uploads/${id}`)).status === 200
  const mara = venue.client(venue.report.api_tokens['mara write'])
  const ball = await create({ title: 'ball', event_slug: 'winter-ball' })
  return { ...venue, create, upload, readable, mara, partner, ball, path: `/admin/tasks/${ball.id}` }
}

const NOT_AVAILABLE = 'has an attachment that is not available'

test('a file embedded in a description is attached to the task', async () => {
  const { create, upload } = await openBoard()
  const file = await upload()
  const task = await create({ title: 'x', description: `<p>See ${embed(file.attachable_sgid)} first.</p>` })

  expect(task.attachments).toEqual([
    {
      signed_id: file.signed_id,
      attachable_sgid: file.attachable_sgid,
      filename: 'plan.pdf',
      content_type: 'application/pdf',
      byte_size: PLAN.length,
      url: `/admin/task_uploads/${file.signed_id}`,
    },
  ])
  expect(task.description).toBe('See [plan.pdf] first.')
  expect(task.description_html).toContain(`sgid="${file.attachable_sgid}"`)
})

test('names of files do not count as text', async () => {
  const { create, upload } = await openBoard()
  const file = await upload()
  const task = await create({ title: 'x', description: `<p>${'a'.repeat(20_000)}</p>${embed(file.attachable_sgid)}` })
  expect(task.attachments).toHaveLength(1)
})

test('a picture is shown where it stands', async () => {
  const { create, upload, office } = await openBoard()
  const file = await upload(office, PNG, 'stage.png', 'image/png')
  const task = await create({ title: 'x', description: embed(file.attachable_sgid) })
  expect(task.description_html).toContain(`<img src="/admin/task_uploads/${file.signed_id}" alt="stage.png">`)
  expect(task.attachments[0].content_type).toBe('image/png')
})

test('a comment may be nothing but a file', async () => {
  const { office, upload, path } = await openBoard()
  const file = await upload()
  const reply = await office.post(`${path}/comments`, { comment: { body: embed(file.attachable_sgid) } })
  expect(reply.status).toBe(201)
  expect(reply.body).toMatchObject({ kind: 'comment', body: '[plan.pdf]', attachments: [{ filename: 'plan.pdf' }] })
  const { entries } = (await office.get(`${path}/comments`)).body
  expect(entries.at(-1)).toEqual(reply.body)
})

test('a new description keeps only the files it names', async () => {
  const { office, upload, path, readable, mara } = await openBoard()
  const [one, two] = [await upload(), await upload(office, PNG, 'stage.png', 'image/png')]
  await office.patch(path, { task: { description: embed(one.attachable_sgid) + embed(two.attachable_sgid) } })

  const { body: shown } = await office.get(path)
  const retitled = await office.patch(path, { task: { title: 'y' } })
  expect(retitled.body.attachments).toHaveLength(2)
  const edited = await mara.patch(path, {
    task: { description: shown.description_html.replace('stage', 'stage') + '<p>more</p>' },
  })
  expect(edited.body.attachments).toHaveLength(2)
  expect(edited.body.description).toBe('[plan.pdf][stage.png]\n\nmore')

  const trimmed = await office.patch(path, { task: { description: `only ${embed(two.attachable_sgid)}` } })
  expect(trimmed.body.attachments.map((file: { filename: string }) => file.filename)).toEqual(['stage.png'])
  expect(await readable(office, one)).toBe(true)
  expect(await readable(mara, one)).toBe(false)
  expect(await readable(mara, two)).toBe(true)
})

test('a file of the task can be embedded again by anyone who works on it', async () => {
  const { office, upload, path, mara } = await openBoard()
  const file = await upload()
  await office.patch(path, { task: { description: embed(file.attachable_sgid) } })
  const comment = await mara.post(`${path}/comments`, { comment: { body: `see ${embed(file.attachable_sgid)}` } })
  expect(comment.body.attachments).toHaveLength(1)
  await office.patch(path, { task: { description: '' } })
  expect((await mara.get(`${path}/comments`)).body.entries.at(-1).attachments).toHaveLength(1)
})

test('a draft is its uploader’s alone: nobody else reads or embeds it', async () => {
  const { office, upload, path, mara, partner, readable, client, report } = await openBoard()
  const draft = await upload(mara)
  expect(await readable(mara, draft)).toBe(true)
  for (const other of [office, partner]) {
    expect(await readable(other, draft)).toBe(false)
    const refusal = { description: [NOT_AVAILABLE] }
    expect(await other.patch(path, { task: { description: embed(draft.attachable_sgid) } })).toRefuse(422, refusal)
    const body = { comment: { body: embed(draft.attachable_sgid) } }
    expect(await other.post(`${path}/comments`, body)).toRefuse(422, { body: [NOT_AVAILABLE] })
  }
  expect((await office.get(path)).body).toMatchObject({ description: '', lock_version: 0 })
  expect((await office.get(`${path}/comments`)).body.entries).toHaveLength(1)

  // The account's token acts for the owner, so what it uploads is the owner's.
  expect(await readable(client(report.api_tokens['olga write']), await upload(office))).toBe(true)
})

test('a file of another task, of another account or without its bytes is refused', async () => {
  const { office, create, upload, path } = await openBoard()
  const foreign = await openBoard()
  const taken = await upload()
  await create({ title: 'other', description: embed(taken.attachable_sgid) })
  const theirs = await foreign.upload(foreign.office)
  const { body: empty } = await office.post('/admin/task_uploads', announce(PLAN, 'plan.pdf', 'application/pdf'))

  for (const file of [taken, theirs, empty]) {
    expect(await office.patch(path, { task: { description: `x ${embed(file.attachable_sgid)}` } })).toRefuse(422, {
      description: [NOT_AVAILABLE],
    })
  }
  expect(await office.get(`/admin/task_uploads/${theirs.signed_id}`)).toRefuse(404)
})

test('what is no name of ours is just not there', async () => {
  const { create, upload } = await openBoard()
  const file = await upload()
  const wrong = [
    file.signed_id,
    'garbage',
    '',
    `${file.attachable_sgid.slice(0, -1)}${file.attachable_sgid.endsWith('A') ? 'B' : 'A'}`,
  ]
  const task = await create({ title: 'x', description: `text ${wrong.map(embed).join('')}` })
  expect(task).toMatchObject({ description: 'text', attachments: [] })
})

test('a file follows the access to its task', async () => {
  const { office, upload, path, partner, readable, stranger, reader, create, app, report } = await openBoard()
  const foreign = await openBoard()
  const file = await upload()
  await office.patch(path, { task: { description: embed(file.attachable_sgid) } })
  const inHouse = await upload()
  await create({ title: 'house', description: embed(inHouse.attachable_sgid) })

  expect(await readable(partner, file)).toBe(true)
  expect(await readable(reader, file)).toBe(true)
  expect(await readable(partner, inHouse)).toBe(false)
  expect(await readable(foreign.office, file)).toBe(false)
  expect(await stranger.get(`/admin/task_uploads/${file.signed_id}`)).toRefuse(401)

  await app.database.pool.query('delete from assignments where account_id = $1', [report.account.id])
  expect(await readable(partner, file)).toBe(false)
})

test('no public address leads to a task’s file', async () => {
  const { office, upload, path, origin } = await openBoard()
  const file = await upload(office, PNG, 'stage.png', 'image/png')
  await office.patch(path, { task: { description: embed(file.attachable_sgid) } })
  const bringing = new URL(file.direct_upload.url).pathname
  const addresses = [
    `/public_images/${file.signed_id}`,
    bringing,
    bringing.replace('/uploads/', '/public_images/'),
    `/uploads/${file.signed_id}`,
    `/rails/active_storage/blobs/redirect/${file.signed_id}/stage.png`,
    `/admin/direct_uploads/${file.signed_id}`,
  ]
  for (const address of addresses) {
    expect([404, 405]).toContain((await fetch(origin + address)).status)
  }
})

test('deleting a task makes its files unreachable at once, and removes their bytes', async () => {
  const { office, upload, path, readable, workOffJobs, app, report } = await openBoard()
  const file = await upload()
  await office.patch(path, { task: { description: embed(file.attachable_sgid) } })
  await office.delete(path)
  expect(await readable(office, file)).toBe(false)
  expect(
    await office.post('/admin/tasks', { task: { title: 'x', description: embed(file.attachable_sgid) } }),
  ).toRefuse(422)
  await workOffJobs()
  const { rows } = await app.database.pool.query('select id from blobs where account_id = $1', [report.account.id])
  expect(rows).toEqual([])
})

test('an archived task keeps its files', async () => {
  const { office, upload, create, readable, mara, moveClock, workOffJobs } = await openBoard()
  const file = await upload()
  const task = await create({ title: 'x', status: 'done', description: embed(file.attachable_sgid) })
  const { body } = await office.post(`/admin/tasks/${task.id}/archive`)
  expect(body.attachments).toHaveLength(1)
  await moveClock('3 days')
  await workOffJobs()
  await moveClock('-3 days')
  expect(await readable(mara, file)).toBe(true)
})
