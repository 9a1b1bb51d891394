import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FileFault } from '../loading/fault.ts'
import { readJson } from './read-json.ts'

test.each([
  ['', 'line 1, column 1'],
  ['{"a": 1,}', 'line 1, column 9'],
  ['{\n  "a": tru\n}', 'line 2, column 8'],
  ['{\n  "a" 1\n}', 'line 2, column 7'],
  ['{"a": 1} x', 'line 1, column 10'],
  ['[1, 2', 'line 1, column 6'],
  ['[1 2]', 'line 1, column 4'],
  ['{"a": "b\nc"}', 'line 1, column 9'],
  ['{"a": "\\x"}', 'line 1, column 8'],
  ['{"a": 01}', 'line 1, column 7'],
  ["{'a': 1}", 'line 1, column 2'],
  ['[1}', 'line 1, column 3'],
  ['{"password": "secret', 'line 1, column 21'],
])('%j is refused at its place', (text, place) => {
  expect(() => readJson(text)).toThrow(new FileFault(`${place}: is not valid JSON.`))
})

test('a byte order mark does no harm', () => {
  expect(readJson('\uFEFF{"a": 1}')).toEqual({ a: 1 })
})

test('whatever is JSON is read, and cut short anywhere it is refused without hanging', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) => {
      expect(readJson(text)).toEqual(JSON.parse(text))
      const broken = `[${text.slice(0, cut % (text.length + 1))}`
      expect(() => readJson(broken)).toThrow(/^line \d+, column \d+: is not valid JSON\.$/)
    }),
  )
})
