import { correction, generate } from 'lean-qr'
import { expect, test } from 'vitest'
import { newPublicId } from '../kernel/public-ids.ts'
import { qrCodeOf } from './qr.ts'

const drawn = ({ size, bars }: ReturnType<typeof qrCodeOf>): string => {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '.'))
  for (const { x, y, length } of bars) rows[y]!.fill('#', x, x + length)
  return rows.map((row) => row.join('')).join('\n')
}

/** With the pattern that the library itself chooses, of all eight. */
const expected = (content: string): string =>
  generate(content, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.Q })
    .toString({ on: '#', off: '.', pad: 0 })
    .trimEnd()

test('the codes of tickets are those of the library, pattern by pattern', () => {
  const contents = Array.from({ length: 400 }, () => newPublicId())
  for (const content of contents) expect(drawn(qrCodeOf(content))).toBe(expected(content))
  expect(new Set(contents.map((content) => qrCodeOf(content).size))).toEqual(new Set([25]))
})

test.each(['1', '0123456789', 'HELLO WORLD', 'a', 'ä', '王小明', 'x'.repeat(40), 'x'.repeat(300)])(
  'so is a code of %s',
  (content) => {
    expect(drawn(qrCodeOf(content))).toBe(expected(content))
  },
)
