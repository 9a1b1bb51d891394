import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { FLOORS, INNER_FLOORS, WEB_FLOORS } from '../src/floor-plan.ts'
import {
  type SourceTree,
  brokenImports,
  deadFiles,
  filesWithSql,
  importCircles,
  importsOf,
  isTest,
  misplacedEntries,
  readSourceTree,
  roomOf,
  strangeWebImports,
  upwardImports,
  upwardImportsInside,
  upwardWebImports,
} from './kit/source-tree.ts'

const ROOT = path.join(import.meta.dirname, '..')
const LINES_MAX = 400

/** Files that are started rather than imported. */
const ENTRIES = [
  'src/main.ts',
  'vitest.config.ts',
  'vite.config.ts',
  'test/kit/global-setup.ts',
  'test/kit/database/table-types.ts',
  'web/console/frame/main.tsx',
  'web/door/frame/main.tsx',
  'web/console/service-worker.ts',
  'web/door/service-worker.ts',
  'web/ui/camera/decode-worker.ts',
]

/** Rooms where SQL may stand outside records.ts, and why. */
const ROOMS_WITH_SQL: Record<string, string> = {
  database: 'it is the database',
  'embedded-postgres': 'it starts the database',
  access: 'look-ups made before the account is known, and the transactions of a scope',
  'venue-file': 'it loads a whole venue, set by set',
}

/** Nobody reads it again: it is written by the generator. */
const GENERATED = new Set(['src/database/table-types.ts', 'web/api/schema.ts'])

const tree = readSourceTree()
const imports = importsOf(tree)
const modules = Array.from(tree.keys()).filter((file) => /\.tsx?$/.test(file))

const isEntry = (file: string) => ENTRIES.includes(file) || /^(bin|bench)\//.test(file) || file.endsWith('.test.ts')

test('the whole house has been walked through', () => {
  expect(modules.length).toBeGreaterThanOrEqual(60)
  expect(imports.filter(({ to }) => tree.has(to)).length).toBeGreaterThanOrEqual(120)
  expect(brokenImports(tree, imports)).toEqual([])
})

test('every room stands on exactly one floor, and every floor’s rooms exist', () => {
  const rooms = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  expect(FLOORS.flat().toSorted()).toEqual(rooms.toSorted())
})

test('outside of rooms stand only the entrance and the plan', () => {
  const files = modules.filter((file) => file.startsWith('src/') && roomOf(file) === null)
  expect(files.filter((file) => !['src/main.ts', 'src/floor-plan.ts'].includes(file))).toEqual([])
})

test('imports go down', () => {
  expect(upwardImports(imports, FLOORS)).toEqual([])
})

test('inside a room with sub-folders everything stands on one floor, and imports go down there too', () => {
  expect(misplacedEntries(tree, INNER_FLOORS)).toEqual([])
  expect(upwardImportsInside(imports, INNER_FLOORS)).toEqual([])
})

test('the imports of the fronts go down too, from no room to another', () => {
  expect(imports.filter(({ from }) => from.startsWith('web/')).length).toBeGreaterThanOrEqual(50)
  expect(upwardWebImports(imports, WEB_FLOORS)).toEqual([])
})

test('the web imports of the server only rules that a browser can run', () => {
  expect(strangeWebImports(tree, imports)).toEqual([])
})

test('every file is reached from an entrance, a test or a generator', () => {
  expect(ENTRIES.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([])
  expect(deadFiles(tree, imports, modules.filter(isEntry))).toEqual([])
})

test('no imports go in circles', () => {
  expect(importCircles(tree, imports)).toEqual([])
})

test('SQL stands in records.ts', () => {
  const files = filesWithSql(tree)
  expect(files.length).toBeGreaterThanOrEqual(5)

  const strays = files.filter(
    (file) =>
      file.startsWith('src/') &&
      !isTest(file) &&
      path.basename(file) !== 'records.ts' &&
      !((roomOf(file) ?? '') in ROOMS_WITH_SQL),
  )
  expect(strays).toEqual([])
})

test('file names are lower case with hyphens', () => {
  const names = Array.from(tree.keys()).flatMap((file) => file.split(path.sep))
  const plain = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|config|d))?(\.(tsx?|sql))?$/
  expect(names.filter((name) => !plain.test(name))).toEqual([])
})

test('nothing is put off', () => {
  // Spelled backwards, so that this file is not its own first find.
  const words = new RegExp(`\\b(${['ODOT', 'EMXIF'].map((word) => word.split('').toReversed().join('')).join('|')})\\b`)
  expect(Array.from(tree).flatMap(([file, text]) => (words.test(text) ? [file] : []))).toEqual([])
})

test('no file is too long to be read in one go', () => {
  const long = modules
    .filter((file) => !GENERATED.has(file))
    .map((file) => ({ file, lines: tree.get(file)!.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ file, lines }) => `${file} has ${lines} lines: read it again and find the two files in it.`)
  expect(long).toEqual([])
})

/** Written apart, so that this file does not seem to load anything. */
const LOAD = 'import'

test('the checks notice a house that breaks the rules', () => {
  const bad: SourceTree = new Map([
    ['src/main.ts', `import { open } from './door/open.ts'\nawait ${LOAD}('./cellar/wine.ts')\n`],
    ['src/door/open.ts', `import type {\n  Shut,\n} from './shut.ts'\nimport { pour } from '../cellar/wine.ts'\n`],
    ['src/door/shut.ts', `export * from './open.ts'\nimport './missing.ts'\n`],
    ['src/cellar/wine.ts', `import { open } from '../door/open.ts'\nawait pool.query('select id from bottles')\n`],
    ['src/cellar/beer.ts', `import { Kysely, sql } from 'kysely'\nimport { pint } from '../../test/kit/pint.ts'\n`],
    ['src/cellar/cider.ts', `import { type Kysely } from 'kysely'\nconst label = 'select'\n`],
    ['src/cellar/water.ts', `tx.selectFrom('bottles')\n`],
  ])
  const imported = importsOf(bad)

  expect(imported).toHaveLength(10)
  expect(upwardImports(imported, [['cellar'], ['door']])).toEqual([
    'src/cellar/wine.ts imports src/door/open.ts',
    'src/cellar/beer.ts imports test/kit/pint.ts',
  ])
  expect(brokenImports(bad, imported)).toEqual([
    'src/door/shut.ts imports src/door/missing.ts',
    'src/cellar/beer.ts imports test/kit/pint.ts',
  ])
  expect(deadFiles(bad, imported, ['src/main.ts'])).toEqual([
    'src/cellar/beer.ts',
    'src/cellar/cider.ts',
    'src/cellar/water.ts',
  ])
  expect(importCircles(bad, imported)).toEqual([
    'src/door/open.ts → src/door/shut.ts → src/door/open.ts',
    'src/door/open.ts → src/cellar/wine.ts → src/door/open.ts',
  ])
  expect(filesWithSql(bad)).toEqual(['src/cellar/wine.ts', 'src/cellar/beer.ts', 'src/cellar/water.ts'])
})

test('the checks notice a room whose sub-folders do not go down', () => {
  const bad: SourceTree = new Map([
    ['src/bar/rules.ts', `import { menu } from './menu.ts'\n`],
    ['src/bar/menu.ts', `import { pour } from './taps/pour.ts'\n`],
    ['src/bar/taps/pour.ts', `import { wash } from '../glasses/wash.ts'\nimport { rinse } from './rinse.ts'\n`],
    ['src/bar/taps/rinse.ts', `import { rules } from '../rules.ts'\n`],
    ['src/bar/taps/pour.test.ts', `import { endpoints } from '../endpoints.ts'\n`],
    ['src/bar/glasses/wash.ts', `import { endpoints } from '../endpoints.ts'\n`],
    ['src/bar/endpoints.ts', `import { pour } from './taps/pour.ts'\nimport { wash } from './glasses/wash.ts'\n`],
    ['src/cellar/racks/wine.ts', ''],
  ])
  const bar = [['*.ts'], ['taps', 'glasses'], ['endpoints.ts']]

  expect(upwardImportsInside(importsOf(bad), { bar })).toEqual([
    'src/bar/menu.ts imports src/bar/taps/pour.ts',
    'src/bar/taps/pour.ts imports src/bar/glasses/wash.ts',
    'src/bar/glasses/wash.ts imports src/bar/endpoints.ts',
  ])
  expect(misplacedEntries(bad, { bar })).toEqual(['cellar/racks'])
  expect(misplacedEntries(bad, { bar: [['taps', 'snacks'], ['taps']], kitchen: [] })).toEqual([
    'kitchen',
    'bar/rules.ts',
    'bar/menu.ts',
    'bar/glasses',
    'bar/endpoints.ts',
    'bar/snacks',
    'bar/taps',
    'cellar/racks',
  ])
})

test('the checks notice fronts that break the rules', () => {
  const bad: SourceTree = new Map([
    ['web/console/frame/main.tsx', `import { Till } from '../till/till.tsx'\nimport '../../ui/style.ts'\n`],
    ['web/console/till/till.tsx', `import { Safe } from '../safe/safe.tsx'\nimport { ask } from '../../api/ask.ts'\n`],
    [
      'web/console/safe/safe.tsx',
      `await ${LOAD}('../frame/main.tsx')\nimport { isOpen } from '../../../src/till/rules.ts'\n`,
    ],
    [
      'web/door/scan/scan.ts',
      `import { Till } from '../../console/till/till.tsx'\nimport '../../../src/till/wire.ts'\n`,
    ],
    ['web/ui/style.ts', `import '../door/scan/scan.ts'\nimport { readFile } from 'node:fs'\n`],
    ['web/api/ask.ts', `import '../ui/style.ts'\nimport '../../src/safe/rules.ts'\n`],
    ['src/till/rules.ts', `export const isOpen = true\n`],
    ['src/till/wire.ts', `export const Till = {}\n`],
    ['src/safe/rules.ts', `import './lock.ts'\n`],
    ['src/safe/lock.ts', `import 'node:crypto'\n`],
  ])
  const imported = importsOf(bad)

  expect(upwardWebImports(imported, WEB_FLOORS)).toEqual([
    'web/console/till/till.tsx imports web/console/safe/safe.tsx',
    'web/console/safe/safe.tsx imports web/console/frame/main.tsx',
    'web/door/scan/scan.ts imports web/console/till/till.tsx',
    'web/ui/style.ts imports web/door/scan/scan.ts',
    'web/api/ask.ts imports web/ui/style.ts',
  ])
  expect(strangeWebImports(bad, imported)).toEqual([
    'web/door/scan/scan.ts imports src/till/wire.ts',
    'web/ui/style.ts imports node:fs',
    'web/api/ask.ts imports src/safe/rules.ts',
  ])
})
