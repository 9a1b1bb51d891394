import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Figure, openBench } from './frame.ts'
import { type MedianFigure, medianOfRounds } from './rounds.ts'

/** The measurements of Foyer, each in a file of its own that exports `measure`. */
const BENCHES = [
  'door',
  'night',
  'feed',
  'guest-list',
  'signup',
  'vouchers',
  'tickets',
  'wallet',
  'shop',
  'backup',
  'start',
  'agreement',
  'replica',
  'access',
  'many-venues',
  'layouts',
]

const HELP = `Measures Foyer on a database of its own, and holds each figure against its target. Alone on the machine, please.

  npm run bench -- [NAME …] [--rounds 3] [--small] [--docs]

  NAME       ${BENCHES.join(', ')}; all unless named
  --rounds   measures each so often, and tells the median and the spread
  --small    a fraction of each, to see that everything runs
  --docs     writes the table in docs/performance.md, with all of them`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'boolean' },
    docs: { type: 'boolean' },
    rounds: { type: 'string', default: '1' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const chosen = positionals.length > 0 ? positionals : BENCHES
const unknown = chosen.find((name) => !BENCHES.includes(name))
if (unknown) {
  console.error(`There is no bench "${unknown}"; there are: ${BENCHES.join(', ')}.`)
  process.exit(1)
}

const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('--rounds says how often each is measured: 1, 3, 5 …')
  process.exit(1)
}

if (values.docs && (positionals.length > 0 || values.small)) {
  console.error('--docs writes the whole table: it goes with all benches, and not with --small.')
  process.exit(1)
}

// What the bench has started goes with the process, which has to leave in its own time for that.
for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15 })) {
  process.once(signal, () => process.exit(128 + number))
}

// What is measured is started as it is built.
execFileSync(process.execPath, [path.join(import.meta.dirname, '../bin/build-server.js')], { stdio: 'inherit' })

const bench = await openBench({ small: values.small ?? false })
const figures: MedianFigure[] = []
try {
  for (const name of chosen) {
    const { measure } = (await import(`./${name}.ts`)) as { measure: (b: typeof bench) => AsyncIterable<Figure> }
    const measured: Figure[][] = []
    for (let round = 0; round < rounds; round++) {
      const seen: Figure[] = []
      for await (const figure of measure(bench)) {
        seen.push(figure)
        console.error(`${figure.id.padEnd(4)} ${figure.what}: ${figure.figure} ${figure.unit}`)
      }
      measured.push(seen)
    }
    figures.push(...medianOfRounds(measured))
  }
} finally {
  await bench.close()
}

const COLUMNS = ['#', 'what', 'figure', 'baseline', 'ratio', 'spread', 'target', ''] as const

const spreadOf = ({ spread, ratio, unit }: MedianFigure): string =>
  spread ? `${spread.map((bound) => bound.toLocaleString('en')).join(' to ')} ${ratio === undefined ? unit : '×'}` : ''

const lines = figures.map((each) => [
  each.id,
  each.what,
  `${each.figure} ${each.unit}`,
  each.baseline === undefined ? '' : `${each.baseline} ${each.unit}`,
  each.ratio === undefined ? '' : `${each.ratio} ×`,
  spreadOf(each),
  each.target,
  each.isMet ? 'met' : 'MISSED',
])
const widths = COLUMNS.map((title, n) => Math.max(title.length, ...lines.map((line) => line[n]!.length)))
for (const line of [COLUMNS, widths.map((width) => '-'.repeat(width)), ...lines]) {
  console.log(
    line
      .map((cell, n) => cell.padEnd(widths[n]!))
      .join('  ')
      .trimEnd(),
  )
}

const results = { small: values.small ?? false, rounds, measured_at: new Date().toISOString(), figures }
await writeFile(path.join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
if (values.docs) await writeToDocs(figures)
if (figures.some((each) => !each.isMet)) console.log('\nTargets were missed.')

/** The table on the page that explains it, with the machine it was measured on. */
async function writeToDocs(table: MedianFigure[]) {
  const page = path.join(import.meta.dirname, '../docs/performance.md')
  const [cpu] = os.cpus()
  const memory = Math.round(os.totalmem() / 2 ** 30)
  const measured = `Measured on ${new Date().toISOString().slice(0, 10)}, ${os.cpus().length} cores (${cpu?.model.trim()}), ${memory} GB, Node ${process.version}${rounds > 1 ? `; medians of ${rounds} rounds` : ''}.`
  const cells = table.map((each) => [
    each.id,
    each.what,
    `${each.figure.toLocaleString('en')} ${each.unit}`.trim(),
    each.baseline === undefined ? '' : `${each.baseline.toLocaleString('en')} ${each.unit}`,
    each.ratio === undefined ? '' : `${each.ratio} ×`,
    spreadOf(each),
    each.target,
    each.isMet ? 'met' : '**missed**',
  ])
  const rows = [[...COLUMNS.slice(0, -1), 'result'], COLUMNS.map(() => '---'), ...cells]
  const markdown = rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
  const text = await readFile(page, 'utf8')
  const between = /(?<=<!-- table -->\n)[\s\S]*(?=<!-- end of table -->)/
  await writeFile(
    page,
    text.replace(between, () => `\n${measured}\n\n${markdown}\n\n`),
  )
}
