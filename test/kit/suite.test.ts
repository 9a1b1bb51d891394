import { expect, test } from 'vitest'
import { readSourceTree } from './source-tree.ts'
import { CLOCKED, FRESH, LONG } from './suite.ts'

const tree = readSourceTree()
const OWN = 'test/kit/suite.test.ts'
const testFiles = Array.from(tree.keys()).filter((file) => file.endsWith('.test.ts') && file !== OWN)

test('files that are run in another way than the rest are there', () => {
  expect([...FRESH, ...CLOCKED, ...LONG].filter((file) => !tree.has(file))).toEqual([])
  expect(CLOCKED.filter((file) => FRESH.includes(file))).toEqual([])
})

/** In a process that ran others before, a module may be imported already, and its memory may have been higher; others come after. */
const NEEDS_FRESH =
  /\bvi\.(mock|doMock|hoisted)\(|\bimport\('.*\.test\.ts'\)|\.maxRSS\b|process\.memoryUsage\(|peakMegabytes\(process|from '\.\/(cost|kit\/sql\/project)\.ts'/

test('whoever replaces modules, runs tests of others, judges by the memory of the process or takes much of it has its own, and nobody else', () => {
  const found = testFiles.filter((file) => NEEDS_FRESH.test(tree.get(file)!))
  expect(found.toSorted()).toEqual(FRESH.toSorted())
})

const HOOK_OF_MODULE = /^(before|after)(All|Each)\(/m

test('a module that test files share makes no hooks when it is imported: only the first file would have them', () => {
  const shared = Array.from(tree.keys()).filter((file) => file.startsWith('test/') && !testFiles.includes(file))
  const found = shared.filter((file) => HOOK_OF_MODULE.test(tree.get(file)!))
  expect(found).toEqual(['test/kit/tidy-up.ts'])
})

/** What a file changes for all that run in its process, it changes back. */
const LASTS =
  /^(?!.*\bunstub).*(\bvi\.(stubEnv|stubGlobal|useFakeTimers)\(|process\.env(\.\w+|\['\w+'\]) = |process\.chdir\()/m

test('whoever changes the environment or the clock of the process changes it back', () => {
  const found = testFiles.filter((file) => !FRESH.includes(file) && LASTS.test(tree.get(file)!))
  expect(found).toEqual(['test/browser/packaged-chromium.test.ts'])
  expect(tree.get(found[0]!)).toContain('finally {\n      await browser.close()\n      vi.unstubAllEnvs()')
})
