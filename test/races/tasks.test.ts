import { expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { sweepFiles } from '../../src/files/jobs.ts'
import type * as FileRecords from '../../src/files/records.ts'
import { lockBlobs } from '../../src/files/records.ts'
import { openMailer } from '../../src/mail/mailer.ts'
import { findTask, lockBoard, lockTask } from '../../src/tasks/records.ts'
import type { Reply } from '../kit/venue/client.ts'
import { race } from '../kit/race.ts'
import { announce, bring, embed, uploadFile } from '../kit/venue/uploads.ts'
import { openVenueIn } from '../kit/venue/venue-in.ts'
import { type OpenApp, openTestApp, theApp } from '../kit/venue/venue.ts'

// Foyer as it is; a control replaces its three locks by the same statements without the lock.
vi.mock(import('../../src/tasks/records.ts'), { spy: true })
vi.mock(import('../../src/files/records.ts'), { spy: true })

const files = await vi.importActual<typeof FileRecords>('../../src/files/records.ts')
let takeBlobs = files.lockBlobs

/** Short in everyday runs. A control may have luck for a while, never for so long. */
const ROUNDS = Number(process.env['FOYER_RACE_ROUNDS'] ?? 2)
const LUCK = 20

const STATUSES = ['open', 'in_progress', 'done']

const openBoard = async (running: OpenApp, count: number, status?: string) => {
  const { client, report } = await openVenueIn(running)
  const office = client('office write')
  const create = async (task: object = {}): Promise<string> =>
    (await office.post('/admin/tasks', { task: { title: 'x', ...task } })).body.id
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await create({ title: `task ${n}`, status: status ?? STATUSES[n % 3] }))
  const tasks = async (query = '') => (await office.get(`/admin/tasks${query}`)).body.tasks
  const { origin } = running
  return { running, office, client, report, create, ids, tasks, origin, path: (n: number) => `/admin/tasks/${ids[n]}` }
}

/** What a race breaks, in words; nothing when every rule held. */
type Race = (running: OpenApp) => Promise<string[]>

const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status).toSorted()

/** On a busy machine the wait for a connection may be too long; nothing has happened then, and one asks again. */
const patiently = async (ask: () => Promise<Reply>): Promise<Reply> => {
  let reply = await ask()
  while (reply.status === 503) reply = await ask()
  return reply
}

const fiftyWriters: Race = async (running) => {
  const board = await openBoard(running, 1)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      patiently(() => board.office.patch(board.path(0), { task: { title: `writer ${n}`, lock_version: 0 } })),
    ),
  )
  const winners = replies.filter(({ status }) => status === 200)
  const isOne = winners.length === 1 && statusesOf(replies).every((status) => status === 200 || status === 409)
  const shown = (await board.office.get(board.path(0))).body
  if (!isOne) return [`${winners.length} of fifty writers wrote`]
  return JSON.stringify(shown) === JSON.stringify(winners[0]!.body) ? [] : ['the task is not what the winner wrote']
}

const everybodyMoves: Race = async (running) => {
  const board = await openBoard(running, 12)
  const partner = board.client('cem write')
  const move = (n: number): Promise<Reply> => {
    const [path, before] = [board.path((n * 7) % 12), board.ids[(n * 5 + 3) % 12]!]
    const status = STATUSES[n % 3]
    if (n % 10 === 9) return board.office.patch(path, { task: { status } })
    if (n % 11 === 10) return board.office.post('/admin/tasks', { task: { title: `new ${n}`, status } })
    if (n % 13 === 12) return partner.post('/admin/tasks', { task: { title: 'theirs', event_slug: 'winter-ball' } })
    if (n % 17 === 16) return board.office.post(`${path}/archive`)
    if (n % 19 === 18) return board.office.delete(`${path}/archive`)
    const isBefore = n % 2 === 0 && !path.endsWith(before)
    return board.office.patch(`${path}/position`, { position: { status, ...(isBefore && { before_id: before }) } })
  }
  const odd: string[] = []
  await race(120, async (n) => {
    const { status } = await patiently(() => move(n))
    if (![200, 201, 422].includes(status)) odd.push(`an answer of ${status}`)
  })
  const tasks: { status: string; position: number }[] = await board.tasks()
  const torn = STATUSES.flatMap((status) => {
    const positions = tasks.filter((task) => task.status === status).map((task) => task.position)
    const isInOrder = positions.every((position, n) => position === n + 1)
    return isInOrder ? [] : [`the column ${status} reads ${positions.join()}`]
  })
  return [...odd, ...torn]
}

const oneDraftForSix: Race = async (running) => {
  const board = await openBoard(running, 6)
  const { attachable_sgid: sgid } = await uploadFile(
    { origin: board.origin, client: board.office },
    Buffer.from('plan'),
  )
  const replies = await Promise.all(
    board.ids.map((_, n) => board.office.patch(board.path(n), { task: { description: embed(sgid) } })),
  )
  const holders = (await board.tasks()).filter((task: { attachments: unknown[] }) => task.attachments.length > 0).length
  const isOne = holders === 1 && statusesOf(replies).join() === '200,422,422,422,422,422'
  return isOne ? [] : [`${holders} tasks hold the file, answers: ${statusesOf(replies).join()}`]
}

const deletedMeanwhile: Race = async (running) => {
  const { office, ...board } = await openBoard(running, 1, 'done')
  const path = board.path(0)
  const replies = await Promise.all([
    office.delete(path),
    office.post(`${path}/comments`, { comment: { body: 'hi' } }),
    office.patch(`${path}/position`, { position: { status: 'open' } }),
    office.post(`${path}/archive`),
    office.delete(path),
    office.delete(path),
  ])
  const odd = statusesOf(replies).filter((status) => ![200, 201, 204, 404, 422].includes(status))
  const deletions = replies.filter(({ status }) => status === 204).length
  const { rowCount: left } = await running.app.database.pool.query('select from task_entries where account_id = $1', [
    board.report.account.id,
  ])
  return [
    ...odd.map((status) => `an answer of ${status}`),
    ...(deletions === 1 ? [] : [`deleted ${deletions} times`]),
    ...(left === 0 ? [] : [`${left} entries of nothing`]),
  ]
}

/** Whoever archives and whoever reopens a done task cannot both be right, with a version or without one. */
const archivedAndReopened =
  (version?: number): Race =>
  async (running) => {
    const board = await openBoard(running, 1, 'done')
    const known = version === undefined ? {} : { lock_version: version }
    const replies = await Promise.all([
      board.office.post(`${board.path(0)}/archive`, known),
      board.office.patch(board.path(0), { task: { status: 'open', ...known } }),
      board.office.post(`${board.path(0)}/comments`, { comment: { body: 'Who wins?' } }),
    ])
    const [archived, reopened, commented] = replies
    const task = (await board.office.get(board.path(0))).body
    const { entries } = (await board.office.get(`${board.path(0)}/comments`)).body
    const kinds = entries.map(({ kind }: { kind: string }) => kind).toSorted()
    const expected = ['comment', 'created', ...(reopened.status === 200 ? ['status'] : [])]
    return [
      ...(archived.status === 200 && reopened.status === 200 ? ['archived and reopened'] : []),
      ...(archived.status === 200 || reopened.status === 200 ? [] : ['nobody was right']),
      ...(task.archived_at !== null && task.status !== 'done' ? ['an archived task that is open'] : []),
      ...(task.lock_version === 1 ? [] : [`version ${task.lock_version} after one change`]),
      ...(commented.status === 201 && kinds.join() === expected.join() ? [] : [`the history is ${kinds.join()}`]),
    ]
  }

/** Everybody who follows the board is told every change, by numbers in the order in which they become visible. */
const followed: Race = async (running) => {
  const board = await openBoard(running, 5, 'done')
  const reader = board.client('office read')
  const seen: number[] = []
  let known: string = (await reader.get('/admin/tasks/stream')).body.last_event_id
  const first = Number(known) + 1
  const look = async () => {
    const { body } = await reader.get('/admin/tasks/stream', { headers: { 'last-event-id': known } })
    seen.push(...body.changes.map((change: { id: string }) => Number(change.id)))
    known = body.last_event_id
  }

  const done = new AbortController()
  const watching = (async () => {
    while (!done.signal.aborted) await look()
  })()
  await race(40, (n) =>
    patiently(() => {
      if (n % 8 === 7) return board.office.post(`${board.path(n >> 3)}/archive`)
      if (n % 4 === 2) return board.office.post(`${board.path(n % 5)}/comments`, { comment: { body: `comment ${n}` } })
      return board.office.post('/admin/tasks', { task: { title: `task ${n}` } })
    }),
  )
  done.abort()
  await watching
  await look()
  const expected = Array.from({ length: 40 }, (_, n) => first + n)
  return seen.join() === expected.join() ? [] : [`told: ${seen.join()}`]
}

const broughtFiveTimes: Race = async (running) => {
  const { office, origin } = await openBoard(running, 0)
  const bytes = Buffer.from('The plan of the evening')
  const { body } = await office.post('/admin/task_uploads', announce(bytes, 'plan.txt', 'text/plain'))
  const replies = await Promise.all(Array.from({ length: 5 }, () => bring(origin, body, bytes)))
  const taken = replies.filter(({ status }) => status === 204).length
  return taken === 1 ? [] : [`taken ${taken} times`]
}

/** An old draft is swept in the very moment in which a task embeds it. */
const sweptMeanwhile: Race = async (running) => {
  const board = await openBoard(running, 1)
  const draft = await uploadFile({ origin: board.origin, client: board.office }, Buffer.from('plan'))
  await running.app.database.pool.query(
    "update blobs set drafted_at = foyer_now() - interval '2 days' where account_id = $1",
    [board.report.account.id],
  )
  vi.mocked(lockBlobs).mockImplementationOnce(async (tx, keys) => {
    const blobs = await takeBlobs(tx, keys)
    await sweep(running)
    return blobs
  })
  const edit = await board.office.patch(board.path(0), { task: { description: embed(draft.attachable_sgid) } })
  const { attachments } = (await board.office.get(board.path(0))).body
  const isThere = attachments.length === 1 && (await board.office.get(attachments[0].url)).status === 200
  return [
    ...(edit.status === 200 ? [] : [`an answer of ${edit.status}`]),
    ...(edit.status === 200 && !isThere ? ['an attached file was swept'] : []),
  ]
}

const sweep = async ({ app }: OpenApp) => {
  const mailer = openMailer(app.settings)
  const { signal } = new AbortController()
  const helpers = { context: { app, mailer }, log: app.log, jobId: '1', attempt: 1, isLastAttempt: true, signal }
  await sweepFiles.run({}, helpers)
  mailer.close()
}

interface Contest {
  says: string
  race: Race
  /** What else would keep the rule by itself. */
  alsoOff?: string[]
  /** How the race is lost without the guards. */
  loses: RegExp
}

const CONTESTS: Contest[] = [
  { says: 'of fifty writers who know one version, one writes', race: fiftyWriters, loses: /of fifty writers wrote/ },
  {
    says: 'columns stay in order while everybody moves, archives and restores everything',
    race: everybodyMoves,
    loses: /the column/,
  },
  {
    says: 'a draft that six tasks reach for at once belongs to one of them',
    race: oneDraftForSix,
    alsoOff: ['alter table task_embeds drop constraint an_embed_shows_a_file_of_its_task'],
    loses: /[2-6] tasks hold the file/,
  },
  {
    says: 'a task that is deleted, commented on, moved and archived at once is deleted once, and nothing is left of it',
    race: deletedMeanwhile,
    loses: /deleted [2-3] times/,
  },
  {
    says: 'a done task is archived or reopened, never both, and a comment meanwhile is kept',
    race: archivedAndReopened(),
    alsoOff: ['alter table tasks drop constraint only_done_tasks_are_archived'],
    loses: /archived and reopened/,
  },
  {
    says: 'the same by two who know its version',
    race: archivedAndReopened(0),
    alsoOff: ['alter table tasks drop constraint only_done_tasks_are_archived'],
    loses: /archived and reopened/,
  },
  { says: 'changes are numbered in the order in which they can be seen', race: followed, loses: /told/ },
  { says: 'the bytes of a file are taken once', race: broughtFiveTimes, loses: /taken [2-5] times/ },
  {
    says: 'a draft that is just being embedded is not swept',
    race: sweptMeanwhile,
    alsoOff: ['alter table task_files drop constraint a_file_is_a_blob'],
    loses: /an attached file was swept/,
  },
]

test.each(CONTESTS)('$says', { timeout: 120_000 + ROUNDS * 2_000 }, async ({ race: run }) => {
  const running = await theApp()
  for (let round = 0; round < ROUNDS; round++) expect(await run(running)).toEqual([])
})

/** The same house without its locks: each of them reads what it would have locked. */
const unlocked = async (running: OpenApp, work: () => Promise<void>) => {
  const aside = openDatabase(running.app.database.pool.options)
  vi.mocked(lockBoard).mockImplementation(async ({ accountId }) => {
    // The number is given out at once, in a transaction of its own: nobody waits for whoever has the number before.
    const { rows } = await aside.pool.query<{ number: number }>(
      `insert into task_boards (account_id, last_change) values ($1, 1)
       on conflict (account_id) do update set last_change = task_boards.last_change + 1
       returning last_change as number`,
      [accountId],
    )
    return rows[0]!.number
  })
  vi.mocked(lockTask).mockImplementation((scope, _tx, publicId) => findTask(scope, publicId))
  takeBlobs = files.findBlobs
  vi.mocked(lockBlobs).mockImplementation(takeBlobs)
  try {
    await work()
  } finally {
    takeBlobs = files.lockBlobs
    for (const lock of [lockBoard, lockTask, lockBlobs]) vi.mocked(lock as () => unknown).mockReset()
    await aside.close()
  }
}

test.each(CONTESTS)('control: without the locks it is not so that $says', { timeout: 180_000 }, async (contest) => {
  const running = await openTestApp()
  try {
    for (const statement of contest.alsoOff ?? []) await running.app.database.pool.query(statement)
    const broken: string[] = []
    await unlocked(running, async () => {
      for (let round = 0; round < LUCK && !contest.loses.test(broken.join()); round++) {
        broken.push(...(await contest.race(running)))
      }
    })
    expect(broken.join('\n')).toMatch(contest.loses)
  } finally {
    await running.close()
  }
})
