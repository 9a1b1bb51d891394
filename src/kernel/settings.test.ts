import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runFoyer } from '../../test/kit/foyer-process.ts'
import { SETTINGS, readSettings } from './settings.ts'

/** Every name that the settings are read from, with a store in place so that its region is asked for too. */
const namesRead = () => {
  const names = new Set<string>()
  const given: Record<string, string> = {
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'foyer',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  readSettings(
    new Proxy(given, {
      get: (target, name) => {
        names.add(String(name))
        return target[String(name)]
      },
    }),
  )
  return [...names].toSorted()
}

test('every setting that is read is described, and none that is not', () => {
  expect(SETTINGS.map(({ name }) => name).toSorted()).toEqual(namesRead())
})

test('the help of the command line names every setting', async () => {
  const { code, stdout } = await runFoyer(['help'], {})
  expect(code).toBe(0)
  for (const name of namesRead()) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
})

test('the table of docs/operations.md names every setting', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const table = text.split('\n').filter((line) => line.startsWith('|'))
  const missing = namesRead().filter((name) => !table.some((line) => line.includes(`\`${name}\``)))
  expect(missing).toEqual([])
})
