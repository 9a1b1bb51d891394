import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_EVENT, DEMO_OWNER, DEMO_SHOP } from '../src/http/example-setup.ts'
import { ENDPOINTS, WEBHOOKS } from '../src/main.ts'
import { describeApi } from '../src/api-reference/describe-api.ts'
import { databaseFolder } from './kit/database/folders.ts'
import { type FoyerProcess, runFoyer, startFoyer } from './kit/process/foyer-process.ts'

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const MINUTES = 60_000

interface Demo {
  subdomain: string
  email: string
  password: string
  readToken: string
  writeToken: string
  deviceToken: string
}

let street: string
let foyer: FoyerProcess
let demo: Demo
/** What a newcomer's shell knows. */
let shell: Record<string, string>

beforeAll(async () => {
  street = await databaseFolder('pasted')
  const data = path.join(street, 'data')
  foyer = await startFoyer({ FOYER_DATA: data, FOYER_DEMO: '1' })
  demo = JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8')) as Demo
  shell = {
    PATH: `${commands()}:${process.env['PATH']}`,
    CURL_HOME: curlHome(),
    FOYER_DATA: data,
    FOYER_TOKEN: demo.writeToken,
    FOYER_DOOR_TOKEN: demo.deviceToken,
    FOYER_PASSWORD: demo.password,
    READ: demo.readToken,
    DOOR: demo.deviceToken,
  }
}, 5 * MINUTES)

afterAll(async () => {
  await foyer?.end()
  await rm(street, { recursive: true, force: true })
})

/** Every curl says on standard error what it was answered with; what it prints stays as it is. */
const curlHome = () => {
  const folder = mkdtempSync(path.join(street, 'curl-'))
  writeFileSync(path.join(folder, '.curlrc'), 'write-out = "%{stderr}\\nanswered %{http_code}\\n"\nmax-time = 20\n')
  return folder
}

/** npm runs Foyer's own command line for real; what would change this machine, or run for minutes, is only looked at. */
const commands = () => {
  const folder = mkdtempSync(path.join(street, 'bin-'))
  const command = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`)
    chmodSync(path.join(folder, name), 0o755)
  }
  const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts).join('|')
  command(
    'npm',
    `case "$*" in
  "run -s foyer -- "*) shift 4; exec "${process.execPath}" "${ROOT}/bin/foyer.js" "$@" ;;
  ci|start|test) exit 0 ;;
  "run "*) case "$2" in ${scripts}) exit 0 ;; esac ;;
esac
echo "There is no such npm command: $*" >&2; exit 96`,
  )
  command('npx', `[ "$1 $2" = "vitest run" ] && [ -f "${ROOT}/$3" ]`)
  command('sudo', `case "$1" in tar) exec "$@" ;; systemctl|useradd|install|cp) exit 0 ;; esac; exit 97`)
  command('claude', `[ "$1 $2" = "mcp add" ]`)
  return folder
}

interface Outcome {
  code: number | null
  statuses: number[]
  stdout: string
  stderr: string
}

const paste = (lines: string, { cwd = street, more = {} }: { cwd?: string; more?: Record<string, string> } = {}) => {
  const run = spawnSync('sh', ['-c', lines], { encoding: 'utf8', timeout: MINUTES, cwd, env: { ...shell, ...more } })
  const statuses = Array.from(run.stderr.matchAll(/^answered (\d+)$/gm), ([, status]) => Number(status))
  return { code: run.status, statuses, stdout: run.stdout, stderr: run.stderr } satisfies Outcome
}

/** What needs something that a demo venue does not have: a failed delivery, money that came in, a code of a voucher. */
const REFUSED_ON_PURPOSE = [
  'POST /admin/webhook_deliveries/:webhook_delivery_id/redelivery',
  'DELETE /admin/events/:event_slug/guest_imports/:guest_import_id/application',
  'POST /checkouts/:token/vouchers',
  'DELETE /checkouts/:token/vouchers/:id',
  'GET /orders/:token',
  'GET /orders/:token/receipts/:number.pdf',
  'POST /admin/orders/:public_id/payments',
  'POST /admin/orders/:public_id/refunds',
  'POST /admin/orders/:public_id/payment_refunds/:refund_id/attempt',
  'POST /admin/orders/:public_id/payment_refunds/:refund_id/payout',
  'POST /admin/orders/:public_id/cancellation',
]

const isSuccess = (status: number) => status >= 200 && status < 400

test('every line of /docs works when it is pasted, in the order of the page', { timeout: 10 * MINUTES }, async () => {
  const { info, paths } = (await (await fetch(`${foyer.origin}/openapi.json`)).json()) as {
    info: { description: string }
    paths: Record<string, Record<string, { 'x-codeSamples': { source: string }[] }>>
  }
  const [variables] = blocksOf(info.description, 'sh')
  const operations = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${at.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      line: operation['x-codeSamples'][0]!.source,
    })),
  )
  const lines = operations.map(({ line }) => line)
  // The address it is served from is the one of the settings, with the port.
  const { port } = new URL(foyer.origin)
  for (const line of lines) expect(line).toMatch(new RegExp(`http://(kaispeicher\\.)?localhost:${port}/`))
  expect(lines.length).toBeGreaterThan(90)

  const known = variables!
    .replace(/FOYER_TOKEN=…/, `FOYER_TOKEN=${demo.writeToken}`)
    .replace('FOYER_DOOR_TOKEN=…', `FOYER_DOOR_TOKEN=${demo.deviceToken}`)
    .replace('FOYER_PASSWORD=…', `FOYER_PASSWORD=${demo.password}`)
  const session = paste(`${known}\nprintf %s "$FOYER_SESSION"`)
  expect(session.stdout).toMatch(/^foyer_session=\S+$/)

  // What refuses on purpose says so where its example is.
  const expected = new Map(
    ENDPOINTS.filter(({ exampleSetup }) => exampleSetup?.status).map(({ method, path: at, exampleSetup }) => [
      `${method} ${at}`,
      exampleSetup!.status,
    ]),
  )
  expect([...expected.keys()].toSorted()).toEqual(REFUSED_ON_PURPOSE.toSorted())

  const failed = operations.flatMap(({ name, line }) => {
    const { statuses, stdout } = paste(line, { more: { FOYER_SESSION: session.stdout } })
    const isRefusedOnPurpose = expected.has(name) && statuses.at(-1) === expected.get(name)
    const works = statuses.length > 0 && (statuses.every(isSuccess) || isRefusedOnPurpose)
    return works ? [] : [`${line}\n=> ${statuses.join()} ${stdout.slice(0, 200)}`]
  })
  expect(failed).toEqual([])
})

const blocksOf = (text: string, language: string) =>
  Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms')), ([, block]) => block!)

/** The archive, and what comes of it, is pasted by the test of the backup. */
const isOfTheBackup = (block: string) => /foyer-backup/.test(block)

test('every command of README and docs works when it is pasted', { timeout: 10 * MINUTES }, () => {
  const { port } = new URL(foyer.origin)
  const venue = blocksOf(read('docs/first-venue.md'), 'json')[0]!
  writeFileSync(path.join(street, 'my-venue.json'), venue)

  const failed: string[] = []
  let count = 0
  // The first venue comes first: README loads the same file, and a subdomain is taken once.
  const documents = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md'], { cwd: ROOT }).toSorted()
  for (const document of documents) {
    for (const block of blocksOf(read(document), 'sh').filter((each) => !isOfTheBackup(each))) {
      const lines = block
        .replaceAll('localhost:3000', `localhost:${port}`)
        .replaceAll('/srv/foyer', `'${ROOT}'`)
        .replaceAll(/^\w+=foyer_\w+_….*$/gm, '')
        // One account can be loaded once; every document loads one of its own.
        .replaceAll('my-venue', `my-venue-${count}`)
      if (lines.includes(`my-venue-${count}.json`)) {
        writeFileSync(path.join(street, `my-venue-${count}.json`), venue.replaceAll('my-venue', `my-venue-${count}`))
      }
      const { code, statuses, stdout, stderr } = paste(`set -e\n${lines}`)
      const foreseen = new Set(Array.from(block.matchAll(/^# (4\d\d)\b/gm), ([, status]) => Number(status)))
      const isRight = statuses.every((status) => isSuccess(status) || foreseen.has(status))
      if (code !== 0 || !isRight)
        failed.push(`${document}:\n${lines}=> ${code} ${statuses.join()} ${stdout.slice(-300)} ${stderr.slice(-500)}`)
      count++
    }
  }
  expect(failed).toEqual([])
  expect(count).toBeGreaterThan(20)
})

test('one event and one shop go through all documents, and the demo has them', () => {
  const venue = JSON.parse(read('src/venue-file/demo-venue.json')) as {
    account: { subdomain: string }
    people: { email: string; role: string }[]
    events: { slug: string }[]
  }
  expect(venue.account.subdomain).toBe(DEMO_SHOP)
  expect(venue.people.find(({ role }) => role === 'owner')!.email).toBe(DEMO_OWNER)
  const slugs = venue.events.map(({ slug }) => slug)
  expect(slugs).toContain(DEMO_EVENT)

  const told = JSON.stringify(describeApi(ENDPOINTS, WEBHOOKS))
  const named = [
    ...Array.from(told.matchAll(/"(?:event_)?slug":"([^"]+)"/g), ([, slug]) => slug!),
    ...globSync(['README.md', 'docs/*.md'], { cwd: ROOT }).flatMap((document) => [
      ...Array.from(read(document).matchAll(/\/events\/([a-z0-9-]{3,})/g), ([, slug]) => slug!),
      ...Array.from(read(document).matchAll(/"?event_slug"?[=:] ?"?([a-z0-9-]{3,})/g), ([, slug]) => slug!),
    ]),
  ]
  expect(new Set(named)).toEqual(new Set([DEMO_EVENT]))
})

test(
  'the first backup, made and restored as the document says, opens with the same tokens',
  { timeout: 5 * MINUTES },
  async () => {
    const home = path.join(street, 'machine')
    const data = path.join(home, 'lib/foyer-data')
    mkdirSync(path.dirname(data), { recursive: true })
    chmodSync(home, 0o755)
    chmodSync(path.dirname(data), 0o755)
    const before = await startFoyer({ FOYER_DATA: data, FOYER_DEMO: '1' })
    const { readToken } = JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8')) as Demo

    const [backup, restoring] = blocksOf(read('docs/first-venue.md'), 'sh').filter(isOfTheBackup)
    const made = paste(`set -e\n${backup!.replaceAll('/var/lib', path.dirname(data))}`, { cwd: home })
    expect([made.code, made.stderr]).toEqual([0, ''])
    expect((await before.end()).code).toBe(0)
    const restored = paste(`set -e\n${restoring!}`, { cwd: home })
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/The audit found nothing\.\n$/)])

    const folder = path.join(home, 'restored')
    expect(existsSync(path.join(folder, 'secret'))).toBe(true)
    const after = await startFoyer({ FOYER_DATA: folder, FOYER_DEMO: '1' })
    try {
      const asked = await fetch(`${after.origin}/admin/events`, { headers: { authorization: `Bearer ${readToken}` } })
      expect(((await asked.json()) as { events: unknown[] }).events).toHaveLength(4)
    } finally {
      await after.end()
    }
  },
)

test('the minimal venue file loads into an empty installation', { timeout: 5 * MINUTES }, async () => {
  const folder = path.join(street, 'minimal')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const data = path.join(folder, 'data')
  const venue = blocksOf(read('docs/first-venue.md'), 'json')[0]!
  const loaded = await runFoyer(['load', '-'], { FOYER_DATA: data }, venue)
  expect([loaded.code, loaded.stderr]).toEqual([0, ''])
  const report = JSON.parse(loaded.stdout) as { account: { subdomain: string }; events: object }
  expect(report).toMatchObject({
    account: { subdomain: 'my-venue' },
    events: { 'opening-night': { tickets: { entry: 1 } } },
  })
})
