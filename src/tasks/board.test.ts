import { expect, test } from 'vitest'
import { openVenue } from '../../test/kit/venue/venue.ts'

const KEYS = [
  'id',
  'title',
  'description',
  'description_html',
  'attachments',
  'archived_at',
  'status',
  'position',
  'lock_version',
  'due_on',
  'event',
  'assignee',
  'created_at',
  'updated_at',
]

type Venue = Awaited<ReturnType<typeof openVenue>>

const create = async ({ office }: Pick<Venue, 'office'>, task: object) => {
  const reply = await office.post('/admin/tasks', { task })
  expect(reply.status).toBe(201)
  return reply.body
}
const titles = (reply: { body: { tasks: { title: string }[] } }) => reply.body.tasks.map((task) => task.title)
const member = ({ report }: Venue, email: string) => report.people[email]!.membership_id

test('a task with nothing but a title is open, last, and everything else is empty', async () => {
  const venue = await openVenue()
  const reply = await venue.office.post('/admin/tasks', { task: { title: '  Sweep the hall  ', position: 9, id: 'x' } })

  expect(reply.status).toBe(201)
  expect(Object.keys(reply.body).toSorted()).toEqual(KEYS.toSorted())
  expect(reply.body).toMatchObject({
    title: 'Sweep the hall',
    description: '',
    description_html: '',
    attachments: [],
    archived_at: null,
    status: 'open',
    position: 1,
    lock_version: 0,
    due_on: null,
    event: null,
    assignee: null,
  })
  expect(reply.headers.get('location')).toBe(`http://localhost:3000/admin/tasks/${reply.body.id}`)
  expect((await venue.office.get(`/admin/tasks/${reply.body.id}`)).body).toEqual(reply.body)
  expect((await venue.reader.get(`/admin/tasks/${reply.body.id}.json`)).body).toEqual(reply.body)
})

test('a task carries its event, its assignee, its day and its status', async () => {
  const venue = await openVenue()
  const mara = member(venue, 'mara@neue-halle.example')
  const task = await create(venue, {
    title: 'Order wristbands',
    status: 'in_progress',
    due_on: '2030-03-31',
    event_slug: 'winter-ball',
    assignee_id: String(mara),
  })
  expect(task).toMatchObject({
    status: 'in_progress',
    due_on: '2030-03-31',
    event: { slug: 'winter-ball', title: 'Winter Ball' },
    assignee: { id: mara, name: 'Mara Manager' },
  })
})

test.each([
  ['an empty title', { title: '' }, { title: ["can't be blank"] }],
  ['a blank title', { title: '   ' }, { title: ["can't be blank"] }],
  ['no title', {}, { title: ["can't be blank"] }],
  ['a null title', { title: null }, { title: ["can't be blank"] }],
  ['a title of 201', { title: 'é'.repeat(201) }, { title: ['is too long (maximum is 200 characters)'] }],
  ['a list for a title', { title: ['x'] }, { title: ['is invalid'] }],
  ['a zero byte', { title: 'x\0y' }, { title: ['is invalid'] }],
  ['a status that is none', { title: 'x', status: 'later' }, { status: ['is not included in the list'] }],
  ['February 30', { title: 'x', due_on: '2030-02-30' }, { due_on: ['is invalid'] }],
  ['a day in words', { title: 'x', due_on: 'tomorrow' }, { due_on: ['is invalid'] }],
  ['a name for an assignee', { title: 'x', assignee_id: 'mara' }, { assignee_id: ['is invalid'] }],
  ['an assignee nobody knows', { title: 'x', assignee_id: 999_999_999 }, { assignee_id: ['is invalid'] }],
  [
    'a text of 20,001',
    { title: 'x', description: 'a'.repeat(20_001) },
    { description: ['is too long (maximum is 20000 characters)'] },
  ],
  [
    'a text of 20,001 among markup',
    { title: 'x', description: `<p>${'<b>aaa</b>'.repeat(6_667)}</p>` },
    { description: ['is too long (maximum is 20000 characters)'] },
  ],
  [
    '50,000 elements around one word',
    { title: 'x', description: `${'<b>'.repeat(50_000)}word${'</b>'.repeat(50_000)}` },
    { description: ['has too much markup'] },
  ],
  [
    'markup without end',
    { title: 'x', description: `${'<b>'.repeat(16_000)}word` },
    { description: ['has too much markup'] },
  ],
  ['an object for a text', { title: 'x', description: { html: 'x' } }, { description: ['is invalid'] }],
])('%s is refused and nothing is created', async (_what, task, errors) => {
  const { office } = await openVenue()
  expect(await office.post('/admin/tasks', { task })).toRefuse(422, errors)
  expect((await office.get('/admin/tasks')).body.tasks).toEqual([])
})

test('the longest title and text are accepted, and markup does not count', async () => {
  const venue = await openVenue()
  const task = await create(venue, { title: 'é'.repeat(200), description: 'a'.repeat(20_000) })
  expect(task.title).toBe('é'.repeat(200))
  expect(task.description).toHaveLength(20_000)
  const rich = await create(venue, {
    title: 'x',
    description: `<p class="${'x'.repeat(50_000)}">${'<b>a</b>'.repeat(19_990)}</p>`,
  })
  expect(rich.description).toHaveLength(19_990)
  expect(rich.description_html).not.toContain('class')
})

test('a wrapper that is missing is a malformed request, and a stranger’s body is not even read', async () => {
  const { office, stranger, reader } = await openVenue()
  expect(await office.post('/admin/tasks', { title: 'x' })).toRefuse(400)
  expect(await office.ask('POST', '/admin/tasks', { raw: '{' })).toRefuse(400)
  expect(await stranger.ask('POST', '/admin/tasks', { raw: '{' })).toRefuse(401)
  expect(await reader.post('/admin/tasks', { task: { title: 'x' } })).toRefuse(401)
})

test('an unknown event is not found, and nothing is created', async () => {
  const { office } = await openVenue()
  const noSuchEvent = { base: ['Not found'], event_slug: ['must exist'] }
  expect(await office.post('/admin/tasks', { task: { title: 'x', event_slug: 'no-such-night' } })).toRefuse(
    404,
    noSuchEvent,
  )
  expect(await office.get('/admin/tasks?event_slug=no-such-night')).toRefuse(404)
  expect(await office.get('/admin/task_assignees?event_slug=no-such-night')).toRefuse(404)
  expect((await office.get('/admin/tasks')).body.tasks).toEqual([])
})

test('filters narrow the board, and combine', async () => {
  const venue = await openVenue()
  const { office } = venue
  const [olga, mara] = [member(venue, 'olga@neue-halle.example'), member(venue, 'mara@neue-halle.example')]
  await create(venue, { title: 'ball, mara', event_slug: 'winter-ball', assignee_id: mara })
  await create(venue, { title: 'ball, nobody', event_slug: 'winter-ball' })
  await create(venue, { title: 'house, olga', assignee_id: olga })
  const done = await create(venue, { title: 'house, done', status: 'done' })
  const old = await create(venue, { title: 'old', status: 'done', assignee_id: olga })
  await office.post(`/admin/tasks/${old.id}/archive`)

  const list = async (query: string) => titles(await office.get(`/admin/tasks${query}`)).toSorted()
  expect(await list('')).toEqual(['ball, mara', 'ball, nobody', 'house, done', 'house, olga'])
  expect(await list('?archived=true')).toEqual(['old'])
  expect(await list('?archived=1&hide_done=true')).toEqual(['old'])
  expect(await list('?archived=yes')).toHaveLength(4)
  expect(await list('?hide_done=true')).toEqual(['ball, mara', 'ball, nobody', 'house, olga'])
  expect(await list('?hide_done=false')).toHaveLength(4)
  expect(await list('?event_slug=winter-ball')).toEqual(['ball, mara', 'ball, nobody'])
  expect(await list('?event_slug=none')).toEqual(['house, done', 'house, olga'])
  expect(await list(`?assignee_id=${mara}`)).toEqual(['ball, mara'])
  expect(await list('?assignee_id=me')).toEqual(['house, olga'])
  expect(await list('?assignee_id=none')).toEqual(['ball, nobody', 'house, done'])
  expect(await list('?assignee_id=999999999')).toEqual([])
  expect(await office.get('/admin/tasks?assignee_id=nonsense')).toRefuse(422, { assignee_id: ['is invalid'] })
  expect(await list('?assignee_id=none&event_slug=winter-ball&hide_done=1')).toEqual(['ball, nobody'])
  expect((await office.get(`/admin/tasks/${old.id}`)).body.archived_at).not.toBeNull()
  expect(done.archived_at).toBeNull()
})

test('everybody of the house sees one board, by position and then by age', async () => {
  const venue = await openVenue()
  const { office, reader, client, report } = venue
  for (const [title, status] of [
    ['a1', 'open'],
    ['b1', 'done'],
    ['a2', 'open'],
    ['c1', 'in_progress'],
    ['b2', 'done'],
  ]) {
    await create(venue, { title, status })
  }
  const { body } = await office.get('/admin/tasks')
  expect(titles({ body })).toEqual(['a1', 'b1', 'c1', 'a2', 'b2'])
  for (const other of [reader, client(report.api_tokens['olga write']), client(report.api_tokens['mara write'])]) {
    expect((await other.get('/admin/tasks')).body).toEqual(body)
  }
})

test('an edit changes what is sent, keeps the rest, and counts', async () => {
  const venue = await openVenue()
  const mara = member(venue, 'mara@neue-halle.example')
  const task = await create(venue, {
    title: 'Order wristbands',
    description: '<p>500 <b>blue</b></p>',
    due_on: '2030-01-01',
    event_slug: 'winter-ball',
    assignee_id: mara,
  })
  const path = `/admin/tasks/${task.id}`

  const renamed = await venue.office.patch(path, {
    task: { title: 'Order 600', lock_version: 0, position: 7, archived_at: 'x' },
  })
  expect(renamed.body).toEqual({ ...task, title: 'Order 600', lock_version: 1, updated_at: renamed.body.updated_at })
  expect(renamed.body.updated_at > task.updated_at).toBe(true)

  const cleared = await venue.office.patch(path, {
    task: { due_on: '', event_slug: null, assignee_id: '', description: null },
  })
  expect(cleared.body).toMatchObject({
    due_on: null,
    event: null,
    assignee: null,
    description: '',
    description_html: '',
    lock_version: 2,
  })
  expect(await venue.office.patch(path, { task: { title: null } })).toRefuse(422, { title: ["can't be blank"] })
  expect(await venue.office.patch(path, { task: { status: null } })).toRefuse(422)
  expect(await venue.office.patch(path, { task: { lock_version: 'new' } })).toRefuse(422, {
    lock_version: ['is not a number'],
  })
})

test('an edit that changes nothing leaves no trace', async () => {
  const venue = await openVenue()
  const task = await create(venue, { title: 'x', description: 'line\nline', due_on: '2030-01-01' })
  const same = { title: 'x', description: 'line\nline', due_on: '2030-01-01', status: 'open', event_slug: null }
  const reply = await venue.office.patch(`/admin/tasks/${task.id}`, { task: same })
  expect(reply.body).toEqual(task)
  expect((await venue.office.get(`/admin/tasks/${task.id}/comments`)).body.entries).toHaveLength(1)
})

test('a stale version is a conflict and changes nothing; without a version the last write wins', async () => {
  const venue = await openVenue()
  const task = await create(venue, { title: 'x' })
  const path = `/admin/tasks/${task.id}`
  const stale = { base: ['This task was changed by someone else; reload and try again'] }
  const current = (await venue.office.patch(path, { task: { title: 'y' } })).body

  expect(await venue.office.patch(path, { task: { title: 'z', lock_version: 0 } })).toRefuse(409, stale)
  expect(await venue.office.patch(`${path}/position`, { position: { status: 'done', lock_version: 0 } })).toRefuse(
    409,
    stale,
  )
  expect(await venue.office.patch(path, { task: { lock_version: 7 } })).toRefuse(409, stale)
  expect((await venue.office.get(path)).body).toEqual(current)
  expect((await venue.office.patch(path, { task: { title: 'z', lock_version: '1' } })).body.lock_version).toBe(2)
})

test('that a version is stale is told before what else is wrong, and a task that is not there before both', async () => {
  const venue = await openVenue()
  const { office } = venue
  const path = `/admin/tasks/${(await create(venue, { title: 'x', status: 'done' })).id}`
  const current = (await office.patch(path, { task: { title: 'y' } })).body
  const faults = [
    { title: '' },
    { title: 'é'.repeat(201) },
    { status: 'later' },
    { due_on: 'tomorrow' },
    { assignee_id: 'mara' },
    { assignee_id: 999_999_999 },
    { description: 'a'.repeat(20_001) },
    { description: `${'<b>'.repeat(16_000)}word` },
    { description: { html: 'x' } },
  ]
  for (const fault of faults) {
    expect(await office.patch(path, { task: { ...fault, lock_version: 0 } })).toRefuse(409)
    expect(await office.patch(path, { task: { ...fault, lock_version: '0' } })).toRefuse(409)
    expect(await office.patch(path, { task: { ...fault, lock_version: 1 } })).toRefuse(422)
    expect(await office.patch(path, { task: fault })).toRefuse(422)
    expect(await office.patch('/admin/tasks/nothing', { task: { ...fault, lock_version: 0 } })).toRefuse(404)
  }
  for (const fault of [{}, { status: 'later' }, { status: 'done', before_id: 'nothing' }]) {
    expect(await office.patch(`${path}/position`, { position: { ...fault, lock_version: 0 } })).toRefuse(409)
    expect(await office.patch(`${path}/position`, { position: { ...fault, lock_version: 1 } })).toRefuse(422)
  }
  const archive = (method: string, version: unknown) =>
    office.ask(method, `${path}/archive`, { body: { lock_version: version } })
  expect(await archive('DELETE', 0)).toRefuse(409)
  await office.patch(path, { task: { status: 'open' } })
  expect(await archive('POST', 1)).toRefuse(409)
  expect(await archive('POST', 2)).toRefuse(422)
  expect(await archive('POST', 'two')).toRefuse(422, { lock_version: ['is not a number'] })

  expect(await office.patch(path, { task: { lock_version: 'one', title: '' } })).toRefuse(422)
  expect(await office.patch(path, { title: 'z', lock_version: 0 })).toRefuse(400)
  expect((await office.get(path)).body).toMatchObject({ title: current.title, status: 'open', lock_version: 2 })
})

test('repeating a creation with its key creates nothing, and tells the same', async () => {
  const { office } = await openVenue()
  const headers = { 'idempotency-key': 'wristbands-1' }
  const first = await office.post('/admin/tasks', { task: { title: 'x' } }, { headers })
  const again = await office.post('/admin/tasks', { task: { title: 'x' } }, { headers })
  expect(again.status).toBe(201)
  expect(again.body).toEqual(first.body)
  expect((await office.get('/admin/tasks')).body.tasks).toHaveLength(1)
})

const TRICKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></mtext></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<action-text-attachment sgid="x" content="<script>alert(1)</script>"><img src=x onerror=alert(1)></action-text-attachment>',
  '<template><script>alert(1)</script></template>',
  '<p style="background:url(javascript:alert(1))" onclick="alert(1)">x</p>',
  '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<p><b><svg><![CDATA[</b><img src=x onerror=alert(1)>]]></svg></b></p>',
]

test.each(TRICKS)('nothing of %s can run', async (trick) => {
  const venue = await openVenue()
  const task = await create(venue, { title: trick.slice(0, 200), description: `<p>before</p>${trick}after` })
  const comment = await venue.office.post(`/admin/tasks/${task.id}/comments`, {
    comment: { body: `<p>text</p>${trick}` },
  })
  expect(task.title).toBe(trick.trim())
  for (const html of [task.description_html, comment.body.body_html]) {
    expect(html).not.toMatch(
      /<(script|img|svg|iframe|math|style|form|base|meta|template|noscript)|\son\w+=|javascript:|srcdoc/i,
    )
  }
})
