import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startCluster } from '../kit/database/cluster.ts'
import { databaseFolder } from '../kit/database/folders.ts'
import { runFoyer, startFoyer, startWorkerProcess } from '../kit/process/foyer-process.ts'
import { neueHalle } from '../kit/venue/neue-halle.ts'
import { openHandles, residentMegabytes } from '../kit/process/process-memory.ts'
import { SEED } from '../kit/seed.ts'
import { deafReader, slowBody, slowHead } from '../kit/network/slow-clients.ts'
import { openTcpProxy } from '../kit/network/tcp-proxy.ts'
import { withClient } from '../kit/database/template.ts'
import { startLoad } from './soak-load.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } })
const TOTAL_MS = Number(values.minutes) * 60_000
/** A fault a minute; in a short soak more often, so that each has its turn. */
const FAULT_EVERY_MS = Math.min(60_000, TOTAL_MS / 10)
const SAMPLE_EVERY_MS = Math.min(15_000, TOTAL_MS / 20)
const ORDERS = 1_000

/** What may be more in the last third than in the one before: noise, but no leak. */
const MORE_HEAP_MB = 8
const MORE_RESIDENT = 1.15
const MORE_HANDLES = 15

interface Sample {
  second: number
  resident: number
  heap: number
  external: number
  handles: number
}

const folder = await databaseFolder('soak')
const cluster = await startCluster()
await withClient({ host: cluster.host, user: cluster.user, database: 'postgres' }, (admin) =>
  admin.query('create database soaked'),
)
const wire = await openTcpProxy({ path: `${cluster.host}/.s.PGSQL.5432` })
const gauge = path.join(folder, 'gauge')
writeFileSync(gauge, '')
const environment = {
  FOYER_DATA: folder,
  FOYER_RATE_LIMITS: 'off',
  LOG_LEVEL: 'fatal',
  DATABASE_URL: `postgres://${cluster.user}@127.0.0.1:${wire.port}/soaked`,
}

const file = neueHalle('soaked')
file['events'] = [
  {
    slug: 'winter-ball',
    title: 'Winter Ball',
    starts_at: '+PT2H',
    tickets: [{ key: 'ga', title: 'General admission' }],
    orders: Array.from({ length: ORDERS }, (_, n) => ({
      key: `order-${n}`,
      customer_name: `Guest ${n}`,
      items: [{ ticket: 'ga' }, { ticket: 'ga' }],
    })),
  },
]
file['people'] = file['people'].filter((person: { role: string }) => person.role === 'owner')
file['api_tokens'] = [{ description: 'office write', permission: 'write' }]
const loaded = await runFoyer(['load', '-'], environment, JSON.stringify(file))
if (loaded.code !== 0) throw new Error(loaded.stderr)
const report = JSON.parse(loaded.stdout)
const orders = Object.values(report.events['winter-ball'].orders) as { items: { public_id: string }[] }[]

const foyer = await startFoyer(
  { ...environment, NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'gauge.ts')}`, FOYER_GAUGE: gauge },
  ['--no-jobs'],
)
let worker = await startWorkerProcess(environment)
const { pid } = foyer.child
const port = Number(new URL(foyer.origin).port)
const doors = ['Door 1', 'Door 2'].map((name) => report.devices[name] as string)

const FAULTS: [string, () => Promise<unknown> | void][] = [
  [
    'a worker is killed',
    async () => {
      await worker.end('SIGKILL')
      worker = await startWorkerProcess(environment)
    },
  ],
  ['the wire is cut', () => wire.cut()],
  [
    'the database is killed',
    async () => {
      await cluster.crash()
      await cluster.comeBack()
    },
  ],
  [
    'slow clients come',
    () => {
      for (let n = 0; n < 100; n++) slowHead(port)
      for (let n = 0; n < 50; n++) slowBody(port, doors[0]!)
      for (let n = 0; n < 5; n++) deafReader(port, doors[0]!)
    },
  ],
  ['the wire is reset', () => wire.reset()],
  [
    'the wire swallows everything',
    async () => {
      wire.swallow()
      await delay(3_000)
      wire.reset()
      wire.mend()
    },
  ],
  [
    'the wire is slow',
    async () => {
      wire.slowDown(30)
      await delay(FAULT_EVERY_MS / 3)
      wire.slowDown(0)
    },
  ],
  [
    'the wire is refused',
    async () => {
      wire.refuse()
      await delay(2_000)
      wire.mend()
    },
  ],
]

const startedAt = Date.now()
const series: Sample[] = []

const sample = async () => {
  const before = readFileSync(gauge, 'utf8').length
  process.kill(pid!, 'SIGUSR2')
  while (readFileSync(gauge, 'utf8').length === before) await delay(20)
  const { heapUsed, external } = JSON.parse(readFileSync(gauge, 'utf8').trim().split('\n').at(-1)!)
  const taken = {
    second: Math.round((Date.now() - startedAt) / 1000),
    resident: Math.round(residentMegabytes(pid!)),
    heap: Math.round(heapUsed / 1e5) / 10,
    external: Math.round(external / 1e5) / 10,
    handles: openHandles(pid!),
  }
  series.push(taken)
  console.log(
    `${String(taken.second).padStart(5)} s  resident ${taken.resident} MB  heap ${taken.heap} MB  external ${taken.external} MB  open ${taken.handles}`,
  )
}

console.log(`A soak of ${values.minutes} minutes, FOYER_SEED=${SEED}`)
const load = startLoad({
  origin: foyer.origin,
  shopHost: new URL(report.account.shop_url).host,
  doors,
  office: report.api_tokens['office write'],
  ticketId: report.events['winter-ball'].tickets.ga,
  tickets: orders.flatMap(({ items }) => items.map((item) => item.public_id)),
})

let nextFault = Date.now() + FAULT_EVERY_MS
for (let fault = 0; Date.now() - startedAt < TOTAL_MS;) {
  await delay(SAMPLE_EVERY_MS)
  await sample()
  if (Date.now() < nextFault) continue
  const [name, harm] = FAULTS[fault++ % FAULTS.length]!
  console.log(`        ${name}`)
  await harm()
  nextFault += FAULT_EVERY_MS
}
await load.stop()

// Whoever is slow or silent has been cut off after this, and nothing is left but Foyer itself.
const quiet = Date.now() + Math.min(90_000, TOTAL_MS / 3)
while (Date.now() < quiet) await delay(500)
await sample()

const survived = foyer.child.exitCode === null
const stopped = await foyer.end()
await worker.end()
const audit = await runFoyer(['audit'], environment)
await wire.close()
await cluster.stop()
await rm(folder, { recursive: true, force: true })

const median = (part: Sample[], of: (taken: Sample) => number) =>
  part.map(of).toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0
const third = Math.floor(series.length / 3)
const [middle, last] = [series.slice(third, 2 * third), series.slice(2 * third, -1)]
const final = series.at(-1)!

const verdicts: [string, boolean][] = [
  ['the server survived and stopped in order', survived && stopped.code === 0],
  ['nothing but good answers, refusals and "try again" was told', load.faults.length === 0],
  ['every counter equals its rows', audit.code === 0],
  ['the heap is flat', median(last, ({ heap }) => heap) <= median(middle, ({ heap }) => heap) + MORE_HEAP_MB],
  [
    'resident memory is flat',
    median(last, ({ resident }) => resident) <= median(middle, ({ resident }) => resident) * MORE_RESIDENT,
  ],
  ['open files are flat', final.handles <= series[0]!.handles + MORE_HANDLES],
]
console.log(
  `\n${[...load.tally]
    .toSorted()
    .map(([name, count]) => `${name}: ${count}`)
    .join(', ')}`,
)
for (const fault of load.faults) console.log(fault)
if (audit.code !== 0) console.log(audit.stdout, audit.stderr)
console.log()
for (const [what, holds] of verdicts) console.log(`${holds ? 'holds ' : 'FAILED'}  ${what}`)
process.exitCode = verdicts.every(([, holds]) => holds) ? 0 : 1
