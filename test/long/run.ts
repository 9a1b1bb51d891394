import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type RowProgress, openProgress } from './progress.ts'
import { ROWS, type Row } from './rows.ts'

const HELP = `The full run of everything that must never be lost or doubled. It takes many hours and may be broken off:
the next run goes on where this one was.

  npm run test:long -- [--only R4,R5] [--minutes 60] [--fresh] [--list] [--small]

  --only      these rows and no others; "soak" is one of them
  --minutes   begins no further piece after so many minutes; of the soak, how long it lasts (30)
  --fresh     forgets what was done before
  --list      shows what was done so far, and does nothing
  --small     one small piece of each, to see that everything runs; it is not counted
FOYER_SEED chooses the seed of a fresh run.`

const ROOT = path.join(import.meta.dirname, '../..')
const SOAK = 'soak'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    minutes: { type: 'string' },
    fresh: { type: 'boolean' },
    list: { type: 'boolean' },
    small: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}

const wanted = values.only?.split(',').map((id) => id.trim())
const unknown = wanted?.find((id) => id !== SOAK && !ROWS.some((row) => row.id === id))
if (unknown) {
  console.error(`There is no row "${unknown}"; there are: ${[...ROWS.map(({ id }) => id), SOAK].join(', ')}.`)
  process.exit(1)
}
const rows = ROWS.filter(({ id }) => !wanted || wanted.includes(id))
const endsAt = values.minutes ? Date.now() + Number(values.minutes) * 60_000 : Infinity
const seed = Number(process.env['FOYER_SEED'] ?? 1 + Math.floor(Math.random() * 1_000_000))
const isSmall = values.small ?? false
const progress = openProgress({ fresh: values.fresh ?? false, seed, isKept: !isSmall })
/** A small piece is so much smaller. */
const SMALL = 50

const run = async (command: string, args: string[], environment: Record<string, string>) => {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, FOYER_LONG: '1', ...environment },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

/** Tests of a full piece last as long as they last; those that know how long say so themselves. */
const TIMES = ['--testTimeout=3600000', '--hookTimeout=120000']
/** One file after the other: what one does to the machine must not be held against another. */
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--no-file-parallelism', ...TIMES]
const OUTCOME = path.join(os.tmpdir(), `foyer-long-${process.pid}.json`)

/** Nothing was proven where nothing ran, so the tests are counted as well. */
const runTests = async (files: string[], titles: string | undefined, environment: Record<string, string>) => {
  const args = [...files, ...(titles ? ['-t', titles] : []), '--reporter=default', '--reporter=json']
  const passed = await run(process.execPath, [...VITEST, ...args, `--outputFile.json=${OUTCOME}`], environment)
  if (!passed) return false
  const { numPassedTests } = JSON.parse(readFileSync(OUTCOME, 'utf8')) as { numPassedTests: number }
  rmSync(OUTCOME)
  if (numPassedTests === 0) console.log(`There is no test for: ${titles}`)
  return numPassedTests > 0
}

const holdControl = async (row: Row, so: RowProgress) => {
  if (!row.control || so.controlHolds) return
  console.log(`\n${row.id}: the control`)
  so.controlHolds = await runTests(row.control.files, row.control.titles, {})
  progress.keep()
}

const isDone = (row: Row) => progress.of(row.id).done >= row.target

const runPiece = async (row: Row) => {
  const so = progress.of(row.id)
  await holdControl(row, so)
  const piece = isSmall ? Math.max(row.least ?? 1, Math.ceil(row.piece / SMALL)) : row.piece
  const count = Math.min(piece, row.target - so.done)
  const environment = { ...row.knobs(count), FOYER_SEED: String(progress.seed + so.pieces) }
  console.log(
    `\n${row.id}: ${so.done} of ${row.target} ${row.unit}, now ${count}, FOYER_SEED=${environment.FOYER_SEED}`,
  )

  const startedAt = Date.now()
  const holds = await runTests(row.files, row.titles, environment)
  so.seconds += Math.round((Date.now() - startedAt) / 1000)
  so.pieces++
  if (holds) so.done += count
  else so.failures.push({ seed: progress.seed + so.pieces - 1, command: commandOf(row, environment) })
  progress.keep()
  return holds
}

const commandOf = ({ files, titles }: Row, environment: Record<string, string>) =>
  [
    ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    'npx vitest run --testTimeout=3600000',
    ...files,
    ...(titles ? ['-t', `'${titles}'`] : []),
  ].join(' ')

/** One piece of each in turn, so that whoever has only an hour has seen a part of everything. */
const runRows = async () => {
  const failed = new Set<string>()
  for (;;) {
    const left = rows.filter((row) => !isDone(row) && !failed.has(row.id))
    if (left.length === 0) return
    for (const row of left) {
      if (Date.now() > endsAt) return
      if (!(await runPiece(row))) failed.add(row.id)
    }
    if (isSmall) return
  }
}

const resultOf = (row: Row) => {
  const { done, controlHolds, failures } = progress.of(row.id)
  if (failures.length > 0) return 'FAILED'
  if (row.control && controlHolds === false) return 'CONTROL WON'
  return done >= row.target ? 'holds' : 'so far'
}

const showTable = () => {
  const lines = rows.map((row) => {
    const { done, seconds, controlHolds } = progress.of(row.id)
    const control = !row.control ? '' : controlHolds === null ? 'to come' : controlHolds ? 'lost' : 'WON'
    return [row.id, row.what, `${done} / ${row.target} ${row.unit}`, control, `${seconds} s`, resultOf(row)]
  })
  const titles = ['#', 'what', 'done', 'control', 'time', 'result']
  const widths = titles.map((title, n) => Math.max(title.length, ...lines.map((line) => line[n]!.length)))
  console.log(`\nSeed ${progress.seed}`)
  for (const line of [titles, widths.map((width) => '-'.repeat(width)), ...lines]) {
    const cells = line.map((cell, n) => cell.padEnd(widths[n]!))
    console.log(cells.join('  ').trimEnd())
  }
  for (const row of rows) for (const { command } of progress.of(row.id).failures) console.log(`\n${row.id}: ${command}`)
}

if (!values.list) await runRows()
if (rows.length > 0) showTable()

let holds = rows.every((row) => ['holds', 'so far'].includes(resultOf(row)))
if (!values.list && (!wanted || wanted.includes(SOAK)) && Date.now() < endsAt) {
  const minutes = isSmall ? '1' : wanted?.length === 1 && values.minutes ? values.minutes : '30'
  holds = (await run(process.execPath, ['test/long/soak.ts', '--minutes', minutes], {})) && holds
}
process.exitCode = holds ? 0 : 1
