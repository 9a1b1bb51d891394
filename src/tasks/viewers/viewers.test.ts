import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from '../../../test/kit/network/event-stream.ts'
import type { Client } from '../../../test/kit/venue/client.ts'
import { openSecondApp } from '../../../test/kit/venue/second-app.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { deleteSilentTaskViewers } from './records.ts'

const VIEWERS = '/admin/task_viewers'

const openBoard = async () => {
  const venue = await openVenue()
  const withToken = (description: string) => venue.client(venue.report.api_tokens[description])
  const create = async (task: object): Promise<string> =>
    (await venue.office.post('/admin/tasks', { task: { title: 'x', ...task } })).body.id
  const look = (client: Client, page: string, task_id: string | null = null) =>
    client.post(VIEWERS, { task_viewer: { page, task_id } })
  const seen = async (client = venue.office) => namesOf((await client.get(VIEWERS)).body)
  const listen = async (origin: string, token: string, query = '?with=viewers') => {
    const authorization = `Bearer ${venue.report.api_tokens[token]}`
    const stream = await openEventStream(`${origin}/admin/tasks/stream${query}`, { authorization })
    onTestFinished(() => stream.close())
    return stream
  }
  return { ...venue, create, look, seen, listen, mara: withToken('mara write'), cem: withToken('cem write') }
}

interface Shown {
  task_viewers: { person: { name: string }; task_id: string | null }[]
}

const namesOf = ({ task_viewers: viewers }: Shown) => viewers.map(({ person, task_id }) => [person.name, task_id])

test('whoever looks at the board is seen there, with the task they look at, and gone when they leave', async () => {
  const { look, seen, create, mara, cem } = await openBoard()
  const task = await create({})
  expect(await seen()).toEqual([])
  expect(await look(mara, 'one')).toMatchObject({ status: 204 })
  expect(await seen()).toEqual([['Mara Manager', null]])
  await look(mara, 'one', task)
  await look(cem, 'two')
  expect(await seen()).toEqual([
    ['Cem Partner', null],
    ['Mara Manager', task],
  ])
  expect(await mara.delete(`${VIEWERS}/one`)).toMatchObject({ status: 204 })
  expect(await mara.delete(`${VIEWERS}/one`)).toRefuse(404)
  expect(await seen()).toEqual([['Cem Partner', null]])
})

test('a co-organizer does not see at which tasks of other events others look, and cannot name them', async () => {
  const { look, seen, create, mara, cem } = await openBoard()
  const own = await create({ event_slug: 'winter-ball' })
  const other = await create({ event_slug: 'spring-night' })
  await look(mara, 'one', other)
  expect(await seen(cem)).toEqual([['Mara Manager', null]])
  await look(mara, 'one', own)
  expect(await seen(cem)).toEqual([['Mara Manager', own]])
  expect(await look(cem, 'two', other)).toRefuse(422, { task_id: ['is invalid'] })
  expect(await look(cem, 'two', 'nothing')).toRefuse(422, { task_id: ['is invalid'] })
  expect(await seen()).toEqual([['Mara Manager', own]])
})

test('only people look, and nobody takes another’s page away', async () => {
  const { look, seen, office, door, stranger, mara, cem } = await openBoard()
  expect(await look(office, 'one')).toRefuse(403)
  expect(await look(door, 'one')).toRefuse(401)
  expect(await stranger.get(VIEWERS)).toRefuse(401)
  expect(await look(mara, '')).toRefuse(422, { page: ["can't be blank"] })
  expect(await look(mara, 'x'.repeat(65))).toRefuse(422)
  await look(mara, 'one')
  expect(await cem.delete(`${VIEWERS}/one`)).toRefuse(404)
  expect(await office.delete(`${VIEWERS}/one`)).toRefuse(404)
  expect(await seen()).toEqual([['Mara Manager', null]])
})

test('whoever is silent for twenty seconds is gone, and forgotten', async () => {
  const { look, seen, app, mara, report } = await openBoard()
  await look(mara, 'one')
  await app.database.pool.query(`update task_viewers set seen_at = seen_at - interval '21 seconds'`)
  expect(await seen()).toEqual([])
  await deleteSilentTaskViewers(app.database)
  const { rows } = await app.database.pool.query('select * from task_viewers where account_id = $1', [
    report.account.id,
  ])
  expect(rows).toEqual([])
})

test('whoever is deactivated or only scans is not shown', async () => {
  const { look, seen, mara, office, report } = await openBoard()
  await look(mara, 'one')
  await office.delete(`/admin/memberships/${report.people['mara@neue-halle.example']!.membership_id}`)
  expect(await seen()).toEqual([])
})

test('the stream of the board tells who comes and goes, in every process, for whoever asks for it', async () => {
  const { app, origin, look, listen, mara, create } = await openBoard()
  const second = await openSecondApp({ app })
  onTestFinished(() => second.close())
  const stream = await listen(second.origin, 'office read')
  const plain = await listen(origin, 'office read', '')
  expect([(await stream.next()).event, (await plain.next()).event]).toEqual(['ready', 'ready'])
  expect(await stream.next()).toMatchObject({ event: 'viewers', data: { task_viewers: [] } })

  await look(mara, 'one')
  expect(namesOf((await stream.next()).data)).toEqual([['Mara Manager', null]])
  // Saying it again is no news.
  await look(mara, 'one')
  const task = await create({})
  expect(await stream.next()).toMatchObject({ event: 'task', data: { task_id: task } })
  await look(mara, 'one', task)
  const moved = await stream.next()
  expect(namesOf(moved.data)).toEqual([['Mara Manager', task]])
  await mara.delete(`${VIEWERS}/one`)
  expect(namesOf((await stream.next()).data)).toEqual([])

  // The numbers of changes go on, so that whoever comes back is told what was missed.
  expect(moved.id).toMatch(/^\d+$/)
  expect(await plain.next()).toMatchObject({ event: 'task' })
  expect(plain.waiting).toEqual([])
})

test('a viewer that died is noticed by those who listen', async () => {
  const { app, origin, look, listen, mara } = await openBoard()
  await look(mara, 'one')
  const stream = await listen(origin, 'office read')
  await stream.next()
  expect(namesOf((await stream.next()).data)).toEqual([['Mara Manager', null]])
  await app.database.pool.query(`update task_viewers set seen_at = seen_at - interval '21 seconds'`)
  expect(namesOf((await stream.next()).data)).toEqual([])
})
