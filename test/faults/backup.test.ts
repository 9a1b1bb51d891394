import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverBackup } from '../../src/backup/back-up-servers.ts'
import { createDatabase } from '../kit/database/database.ts'
import { openDatabaseWire, openFarDatabase } from '../kit/database/far-database.ts'
import { withClient } from '../kit/database/template.ts'
import { openSmallDisk } from '../kit/process/small-disk.ts'
import { type FoyerProcess, runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { openClient } from '../kit/venue/client.ts'
import { openFarBuyer } from '../kit/venue/far-buyer.ts'
import { neueHalle } from '../kit/venue/neue-halle.ts'

/** The full run makes many. */
const ROUNDS = Number(process.env['FOYER_BACKUPS'] ?? 1)
const WORKERS = 6
const SALES = { FOYER_RATE_LIMITS: 'off', FOYER_TEST_PAYMENTS: 'on' }

let far: Awaited<ReturnType<typeof openFarDatabase>>
let foyer: FoyerProcess
let tokens: { office: string; door: string; ga: number; shopUrl: string }
let folder: string

beforeAll(async () => {
  far = await openFarDatabase('backup')
  folder = await mkdtemp(path.join(far.environment['FOYER_DATA']!, 'archives-'))
  const file = neueHalle('neue-halle')
  file['events'] = [
    {
      slug: 'winter-ball',
      title: 'Winter Ball',
      starts_at: '+PT2H',
      tickets: [{ key: 'ga', title: 'General admission', price: '25.00', stock: 1_000_000 }],
    },
  ]
  file['people'] = file['people'].filter((person: { role: string }) => person.role === 'owner')
  file['api_tokens'] = [{ description: 'office write', permission: 'write' }]
  const report = JSON.parse((await runFoyer(['load', '-'], far.environment, JSON.stringify(file))).stdout)
  tokens = {
    office: report.api_tokens['office write'],
    door: report.devices['Door 1'],
    ga: report.events['winter-ball'].tickets.ga,
    shopUrl: report.account.shop_url,
  }
  foyer = await startFoyer({ ...far.environment, ...SALES })
})

afterAll(async () => {
  await foyer.end()
  await far.close()
})

/** Guests who are put on the list and let in one after the other, until told to stop; what was acknowledged is kept. */
const openCrowd = (origin = foyer.origin) => {
  const admitted = new Set<string>()
  const leaving = new AbortController()
  const ask = async (token: string, address: string, body?: object) => {
    const reply = await fetch(origin + address, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect([200, 201], await reply.clone().text()).toContain(reply.status)
    return reply.json() as Promise<{ admissions: { public_id: string }[] }>
  }
  const work = async () => {
    while (!leaving.signal.aborted) {
      const party = { customer_name: 'Ada', delivery_email: 'ada@guest.example', ticket_id: tokens.ga }
      const { admissions } = await ask(tokens.office, '/admin/events/winter-ball/guest_parties', { guest_party: party })
      const id = admissions[0]!.public_id
      await ask(tokens.door, `/scanner/events/winter-ball/tickets/${id}/redemption`)
      admitted.add(id)
    }
  }
  const working = Promise.all(Array.from({ length: WORKERS }, work))
  working.catch(() => {})
  return {
    admitted,
    reaches: async (count: number) => {
      while (admitted.size < count) await Promise.race([delay(5), working])
    },
    leave: async () => {
      leaving.abort()
      await working
    },
  }
}

const backUpTo = async (name: string) => {
  const file = path.join(folder, name)
  expect(await runFoyer(['backup', file], far.environment)).toMatchObject({ code: 0, stderr: '' })
  return file
}

/** Into an empty database of another installation, by the command; what is then in it is looked at. */
const restoreElsewhere = async <T>(
  file: string,
  look: (restored: {
    outcome: Awaited<ReturnType<typeof runFoyer>>
    admitted: () => Promise<string[]>
    environment: Record<string, string>
  }) => Promise<T>,
) => {
  const databases = [await createDatabase()]
  // Where the account was on a second server, it comes back on one.
  if (far.environment['FOYER_SHARDS']) databases.push(await createDatabase())
  const wire = await openDatabaseWire()
  const [url, second] = databases.map(
    ({ connection: { user, database } }) => `postgres://${user}@127.0.0.1:${wire.port}/${database}`,
  )
  const environment: Record<string, string> = {
    FOYER_DATA: path.join(folder, `data-${databases[0]!.connection.database}`),
    DATABASE_URL: url!,
    ...(second && { FOYER_SHARDS: `two=${second}` }),
  }
  try {
    const outcome = await runFoyer(['restore', file], environment)
    const admitted = () =>
      withClient(databases.at(-1)!.connection, async (client) => {
        const { rows } = await client.query<{ id: string }>(
          'select public_id as id from admissions where redeemed_at is not null',
        )
        return rows.map(({ id }) => id)
      })
    return await look({ outcome, admitted, environment })
  } finally {
    await wire.close()
    for (const database of databases) await database.drop()
  }
}

test(
  'a backup in the middle of an evening has all that was acknowledged before it began, and nothing torn',
  { timeout: 120_000 + ROUNDS * 120_000 },
  async () => {
    const crowd = openCrowd()
    for (let round = 0; round < ROUNDS; round++) {
      await crowd.reaches(crowd.admitted.size + 50)
      const acknowledged = [...crowd.admitted]
      const file = await backUpTo(`evening-${round}.tar.gz`)
      const during = crowd.admitted.size - acknowledged.length
      expect(during).toBeGreaterThan(0)

      await restoreElsewhere(file, async ({ outcome, admitted }) => {
        expect(outcome).toMatchObject({ code: 0, stderr: '' })
        expect(outcome.stdout).toContain('The audit found nothing.')
        const restored = new Set(await admitted())
        expect(acknowledged.filter((id) => !restored.has(id))).toEqual([])
      })
      await rm(file)
    }
    await crowd.leave()
  },
)

/** Buys a ticket with money, and is told its number. */
const buyTicket = async (origin: string): Promise<string> => {
  const office = openClient(origin, { token: tokens.office })
  const buyer = openFarBuyer({ origin, shopUrl: tokens.shopUrl, office })
  const { id } = await buyer.buy([{ ticket_id: tokens.ga, quantity: 1 }])
  return (await office.get(`/admin/orders/${id}`)).body.admissions[0].public_id
}

test(
  'on a new machine the evening goes on: who is in stays in, who has a ticket comes in, and tickets are sold',
  { timeout: 240_000 },
  async () => {
    const crowd = openCrowd()
    const sold = await buyTicket(foyer.origin)
    await crowd.reaches(30)
    const inside = [...crowd.admitted]
    const file = await backUpTo('machine.tar.gz')
    await crowd.leave()

    await restoreElsewhere(file, async ({ outcome, admitted, environment }) => {
      expect(outcome).toMatchObject({ code: 0, stderr: '' })
      const machine = await startFoyer({ ...environment, ...SALES })
      try {
        const door = openClient(machine.origin, { token: tokens.door })
        const redeem = (id: string) => door.post(`/scanner/events/winter-ball/tickets/${id}/redemption`)
        const refused = await redeem(inside[0]!)
        expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('lready redeemed')])
        expect((await redeem(sold)).status).toBe(200)

        const goingOn = openCrowd(machine.origin)
        const bought = await Promise.all([1, 2, 3].map(() => buyTicket(machine.origin)))
        for (const id of bought) expect((await redeem(id)).status).toBe(200)
        await goingOn.reaches(30)
        await goingOn.leave()
        const { body: snapshot } = await door.get('/scanner/events/winter-ball/snapshot')
        const redeemed = snapshot.tickets
          .filter((ticket: { redeemed: boolean }) => ticket.redeemed)
          .map((ticket: { public_id: string }) => ticket.public_id)
        expect(redeemed).toEqual(expect.arrayContaining([...inside, sold, ...bought, ...goingOn.admitted]))
        expect(redeemed.toSorted()).toEqual((await admitted()).toSorted())
      } finally {
        await machine.end()
      }
      expect(await runFoyer(['audit'], environment)).toMatchObject({ code: 0, stderr: '' })
    })
  },
)

test('control: tables of two moments in one archive are found by the audit', { timeout: 120_000 }, async () => {
  const before = await backUpTo('before.tar.gz')
  const crowd = openCrowd()
  await crowd.reaches(20)
  await crowd.leave()
  const after = await backUpTo('after.tar.gz')

  await restoreElsewhere(before, async ({ admitted }) => {
    const restored = new Set(await admitted())
    expect([...crowd.admitted].filter((id) => restored.has(id))).toEqual([])
  })
  const torn = path.join(folder, 'torn.tar.gz')
  if (ofAccount(torn) !== torn) await cp(after, torn)
  await mixArchives(ofAccount(after), ofAccount(before), ofAccount(torn))
  await restoreElsewhere(torn, async ({ outcome }) => {
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toMatch(/The audit found \d+ differences\./)
  })
})

/** Of the archives of a backup that of the account's server. */
const ofAccount = (file: string) => (far.environment['FOYER_SHARDS'] ? serverBackup(file, 'two') : file)

/** What a backup without one snapshot would be: some tables as they were earlier than the others. */
const mixArchives = async (archive: string, earlier: string, file: string) => {
  const [mixed, other] = [path.join(folder, 'mixed'), path.join(folder, 'earlier')]
  for (const [from, to] of [
    [archive, mixed],
    [earlier, other],
  ] as const) {
    execFileSync('mkdir', ['-p', to])
    execFileSync('tar', ['-xzf', from, '-C', to])
  }
  for (const table of ['events', 'tickets']) {
    await rm(path.join(mixed, 'tables', table), { recursive: true })
    await cp(path.join(other, 'tables', table), path.join(mixed, 'tables', table), { recursive: true })
  }
  const names = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n')
  const sums = await Promise.all(
    names
      .filter((name) => name !== 'SHA256SUMS')
      .map(async (name) => {
        const bytes = await readFile(path.join(mixed, name))
        return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
      }),
  )
  await writeFile(path.join(mixed, 'SHA256SUMS'), sums.join(''))
  execFileSync('tar', ['-czf', file, '-C', mixed, ...names])
}

test(
  'a disk that fills during a backup is told in a sentence, leaves nothing behind, and harms no earlier backup',
  { timeout: 120_000 },
  async () => {
    const disk = openSmallDisk(4)
    const environment = { ...far.environment, ...disk.environment, FOYER_DATA: disk.folder }
    // The secret belongs to the installation, wherever its disk is.
    await cp(path.join(far.environment['FOYER_DATA']!, 'secret'), path.join(disk.folder, 'secret'))
    const [first, second] = [path.join(disk.folder, 'first.tar.gz'), path.join(disk.folder, 'second.tar.gz')]
    try {
      expect(await runFoyer(['backup', first], environment)).toMatchObject({ code: 0 })
      const good = await readFile(first)
      disk.fill(8 * 1024)
      expect(await runFoyer(['backup', second], environment)).toEqual({
        code: 1,
        stdout: '',
        stderr: `The backup ${ofAccount(second)} could not be written: the disk is full.\n`,
      })
      expect((await readdir(disk.folder)).filter((name) => name.startsWith('second'))).toEqual([])
      expect((await readFile(first)).equals(good)).toBe(true)

      disk.free()
      expect(await runFoyer(['backup', second], environment)).toMatchObject({ code: 0, stderr: '' })
    } finally {
      disk.close()
    }
  },
)
