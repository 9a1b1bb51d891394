import { readdir, writeFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openEmbeddedServer } from '../../src/embedded-postgres/server.ts'
import { databaseFolderOfTest } from '../kit/database/folder-of-test.ts'
import { isHealthy, runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { freePort } from '../kit/process/free-port.ts'
import { neueHalle } from '../kit/venue/neue-halle.ts'

const venueText = () => JSON.stringify(neueHalle('neue-halle'))

test(
  'after SIGKILL the next start works, ten times in a row, and what was loaded is still there',
  { timeout: 180_000 },
  async () => {
    const FOYER_DATA = await databaseFolderOfTest('server')
    const { stdout } = await runFoyer(['load', '-'], { FOYER_DATA }, venueText())
    const token = (JSON.parse(stdout) as { api_tokens: Record<string, string> }).api_tokens['office read']!

    for (let round = 0; round < 10; round++) {
      const foyer = await startFoyer({ FOYER_DATA })
      const reply = await fetch(`${foyer.origin}/admin/events`, { headers: { authorization: `Bearer ${token}` } })
      expect(reply.status).toBe(200)
      await foyer.end('SIGKILL')
    }
    const foyer = await startFoyer({ FOYER_DATA })
    expect(await foyer.end()).toMatchObject({ code: 0 })
  },
)

test('a request that is under way when SIGTERM comes gets its answer', { timeout: 120_000 }, async () => {
  const FOYER_DATA = await databaseFolderOfTest('server')
  const foyer = await startFoyer({ FOYER_DATA })
  const beside = await openEmbeddedServer(FOYER_DATA, { role: 'command', name: 'test' })
  const client = new pg.Client(beside.connection)
  await client.connect()
  await client.query('begin; lock table accounts in access exclusive mode')

  const reply = fetch(`${foyer.origin}/admin/events`, { headers: { authorization: 'Bearer garbage' } })
  while (!(await isWaitingForLock(client))) await new Promise((resolve) => setTimeout(resolve, 10))
  const outcome = foyer.end('SIGTERM')
  await client.query('commit')

  expect((await reply).status).toBe(401)
  expect((await outcome).code).toBe(0)
  await client.end()
  await beside.close()
})

const isWaitingForLock = async (client: pg.Client) => {
  const { rowCount } = await client.query('select 1 from pg_locks where not granted')
  return rowCount! > 0
}

test(
  'commands work beside a running server, and a second server on the folder is told so',
  { timeout: 180_000 },
  async () => {
    const FOYER_DATA = await databaseFolderOfTest('server')
    const foyer = await startFoyer({ FOYER_DATA })

    const loaded = await runFoyer(['load', '-'], { FOYER_DATA }, venueText())
    expect(loaded).toMatchObject({ code: 0, stderr: '' })

    const token = await runFoyer(
      ['token', 'create', '--account', 'neue-halle', '--permission', 'read', '--description', 'script'],
      { FOYER_DATA },
    )
    expect(token.stdout).toMatch(/^foyer_api_\S+\n$/)
    const asked = await fetch(`${foyer.origin}/admin/events`, {
      headers: { authorization: `Bearer ${token.stdout.trim()}` },
    })
    expect(asked.status).toBe(200)

    const device = await runFoyer(['device', 'pair', '--account', 'neue-halle', '--name', 'Side door'], { FOYER_DATA })
    const scan = () =>
      fetch(`${foyer.origin}/scanner/me`, { headers: { authorization: `Bearer ${device.stdout.trim()}` } })
    expect((await scan()).status).toBe(200)
    expect(
      (await runFoyer(['device', 'revoke', '--account', 'neue-halle', '--name', 'Side door'], { FOYER_DATA })).code,
    ).toBe(0)
    expect((await scan()).status).toBe(401)

    const second = await runFoyer(['serve'], { FOYER_DATA, PORT: String(await freePort()) })
    expect(second.code).toBe(1)
    expect(second.stderr.trim().split('\n')).toHaveLength(1)
    expect(second.stderr).toContain(FOYER_DATA)
    expect(await isHealthy(foyer.origin)).toBe(true)
    expect((await foyer.end()).code).toBe(0)
  },
)

test('a fault of the operator is one sentence and exit 1', { timeout: 400_000 }, async () => {
  const FOYER_DATA = await databaseFolderOfTest('server')
  const taken = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as net.AddressInfo
  const file = path.join(FOYER_DATA, 'a-file')
  await writeFile(file, '')

  const faults: [string[], Record<string, string>, RegExp][] = [
    [
      ['serve'],
      { PORT: String(port) },
      /^Port \d+ on 127\.0\.0\.1 is already taken by another program; set PORT to a free one\.$/,
    ],
    [['serve'], { PORT: 'three' }, /^PORT must be a number from 1 to 65535; it is "three"\.$/],
    [['serve'], { BASE_URL: 'foyer.example' }, /^BASE_URL must be a URL/],
    [['serve'], { FOYER_SECRET: 'short' }, /^FOYER_SECRET must have at least 32 characters\.$/],
    [['serve'], { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of/],
    [['serve'], { FOYER_TRUST_PROXY: 'on' }, /^FOYER_TRUST_PROXY must be "off", the number of proxies/],
    [['serve'], { FOYER_DATA: file }, /./],
    [
      ['serve'],
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' },
      /^The database of DATABASE_URL does not answer: .*\.$/,
    ],
    [['load', '/nowhere/venue.json'], {}, /^The file \/nowhere\/venue\.json cannot be read: .*\.$/],
    [['load'], {}, /^load takes one file, or - for standard input\. See: npm run -s foyer -- help$/],
    [['dance'], {}, /^There is no command "dance"\. See: npm run -s foyer -- help$/],
    [['token', 'create', '--account', 'nobody', '--permission', 'read', '--description', 'x'], {}, /./],
  ]
  for (const [args, environment, sentence] of faults) {
    const outcome = await runFoyer(args, { FOYER_DATA, ...environment })
    expect(outcome.code, args.join(' ')).toBe(1)
    expect(outcome.stdout).toBe('')
    expect(outcome.stderr.trimEnd().split('\n'), args.join(' ')).toEqual([expect.stringMatching(sentence)])
  }
  taken.close()
})

test('a file at fault loads nothing and names the place', { timeout: 120_000 }, async () => {
  const FOYER_DATA = await databaseFolderOfTest('server')
  const venue = neueHalle('neue-halle')
  venue['events'][0].tickets[1].price = 'thirty'
  const outcome = await runFoyer(['load', '-'], { FOYER_DATA }, JSON.stringify(venue))
  expect(outcome).toMatchObject({ code: 1, stdout: '' })
  expect(outcome.stderr).toMatch(/^events\[0\]\.tickets\[1\]\.price: .*\.\n$/)
  expect((await runFoyer(['load', '-'], { FOYER_DATA }, venueText())).code).toBe(0)
})

test('help and the API description need no database', { timeout: 120_000 }, async () => {
  const FOYER_DATA = await databaseFolderOfTest('server')
  expect((await runFoyer(['help'], { FOYER_DATA })).stdout).toContain('Usage: npm run -s foyer -- COMMAND')
  const { stdout } = await runFoyer(['openapi'], { FOYER_DATA })
  expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0' })
  expect(await readdir(FOYER_DATA)).toEqual([])
})
