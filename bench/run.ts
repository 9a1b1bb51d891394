import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Figure, openBench } from './frame.ts'

/** The measurements of the house, each in a file of its own that exports `measure`. */
const BENCHES = ['access', 'guest-list', 'door', 'feed', 'signup', 'vouchers']

const { values, positionals } = parseArgs({ allowPositionals: true, options: { small: { type: 'boolean' } } })
const chosen = positionals.length > 0 ? positionals : BENCHES
const unknown = chosen.find((name) => !BENCHES.includes(name))
if (unknown) {
  console.error(`There is no bench "${unknown}"; there are: ${BENCHES.join(', ')}.`)
  process.exit(1)
}

const bench = await openBench({ small: values.small ?? false })
const figures: Figure[] = []
try {
  for (const name of chosen) {
    const { measure } = (await import(`./${name}.ts`)) as { measure: (b: typeof bench) => AsyncIterable<Figure> }
    for await (const figure of measure(bench)) {
      figures.push(figure)
      console.error(`${figure.id.padEnd(4)} ${figure.what}: ${figure.figure} ${figure.unit}`)
    }
  }
} finally {
  await bench.close()
}

const COLUMNS = ['#', 'what', 'figure', 'baseline', 'ratio', 'target', ''] as const

const lines = figures.map((each) => [
  each.id,
  each.what,
  `${each.figure} ${each.unit}`,
  each.baseline === undefined ? '' : `${each.baseline} ${each.unit}`,
  each.ratio === undefined ? '' : `${each.ratio} ×`,
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

const results = { small: values.small ?? false, measured_at: new Date().toISOString(), figures }
await writeFile(path.join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
if (figures.some((each) => !each.isMet)) console.log('\nTargets were missed.')
