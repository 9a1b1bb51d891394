import { expect, test } from 'vitest'
import { CsvFault, readCsv } from './csv.ts'

const read = (text: string) => Array.from(readCsv(text), ({ line, cells }) => [line, ...cells])

test('cells are separated by commas and records by line breaks of either kind', () => {
  expect(read('a,b\n1,2\r\n3,4')).toEqual([
    [1, 'a', 'b'],
    [2, '1', '2'],
    [3, '3', '4'],
  ])
  expect(read('a,b\n1,\n,\n')).toEqual([
    [1, 'a', 'b'],
    [2, '1', ''],
    [3, '', ''],
  ])
})

test('a mark of the byte order is no part of the first cell', () => {
  expect(read('\uFEFFcode,amount\n')).toEqual([[1, 'code', 'amount']])
})

test('a quoted cell holds commas, doubled quotes and line breaks, and later lines keep their numbers', () => {
  expect(read('a,b\n"1,5","say ""hi"""\n"one\r\ntwo\nthree",x\nlast,y')).toEqual([
    [1, 'a', 'b'],
    [2, '1,5', 'say "hi"'],
    [3, 'one\r\ntwo\nthree', 'x'],
    [6, 'last', 'y'],
  ])
  expect(read('""\n"",""')).toEqual([[2, '', '']])
})

test('lines without a character are passed over and still counted', () => {
  expect(read('a\n\n\r\nb\n\n')).toEqual([
    [1, 'a'],
    [4, 'b'],
  ])
  expect(read('')).toEqual([])
})

test('line breaks by the million inside of a quote are counted, not kept', () => {
  const peak = process.resourceUsage().maxRSS
  const text = `"${'\n'.repeat(5_000_000)}",b\nc,d`
  expect(read(text).map(([line]) => line)).toEqual([1, 5_000_002])
  expect(read('"a\r\nb\rc\nd",x\ny').map(([line]) => line)).toEqual([1, 5])
  expect((process.resourceUsage().maxRSS - peak) / 1_024).toBeLessThan(150)
})

test.each([
  ['a\n"open', 'has a quote that is not closed on line 2'],
  ['a\nb"c', 'has a quote inside of a cell on line 2'],
  ['"a"b', 'goes on after a quote on line 1'],
  [','.repeat(1_000_000), 'has too many columns on line 1'],
])('what is no CSV is told with its line', (text, message) => {
  expect(() => read(text)).toThrow(new CsvFault(message))
})
