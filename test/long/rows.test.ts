import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROWS } from './rows.ts'

const ROOT = path.join(import.meta.dirname, '../..')

const textOf = (files: string[]) => {
  const found = files.flatMap((file) => globSync(file.endsWith('.ts') ? file : `${file}/**/*.test.ts`, { cwd: ROOT }))
  return found.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n')
}

test.each(ROWS)('the full run of $id names tests that are there, and knobs that they read', (row) => {
  for (const { files, titles } of [row, ...(row.control ? [row.control] : [])]) {
    const text = textOf(files)
    expect(text).not.toBe('')
    for (const title of titles?.split('|') ?? []) expect(text).toContain(title)
  }
  for (const knob of Object.keys(row.knobs(1))) expect(textOf(row.files)).toContain(`['${knob}']`)
})

test('every row that the house is measured by has its run', () => {
  const ids = ROWS.map(({ id }) => id)
  const numbers = Array.from({ length: 24 }, (_, n) => n + 1)
  expect(ids.filter((id) => /^R\d+$/.test(id))).toEqual(numbers.map((n) => `R${n}`))
})
