import { expect, test } from 'vitest'
import { type TextBox, layOutText } from './lines.ts'

const NAME: TextBox = { weight: 'bold', size: 17, sizeMin: 10, width: 250, linesMax: 2 }

const widest = ({ lines, size }: Awaited<ReturnType<typeof layOutText>>) =>
  Math.max(...lines.map(({ width }) => width * size))
const shown = ({ lines }: Awaited<ReturnType<typeof layOutText>>) =>
  lines.map(({ runs }) => runs.map(({ text }) => text).join(''))

test('a short name is one line in full size', async () => {
  const set = await layOutText('Zoë Müller', NAME)
  expect(shown(set)).toEqual(['Zoë Müller'])
  expect(set.size).toBe(17)
})

test('a long name takes two lines and, where that is not enough, a smaller size', async () => {
  const set = await layOutText('Wolfeschlegelsteinhausenbergerdorff Hubert Blaine the Third of the Long Line', NAME)
  expect(shown(set)).toHaveLength(2)
  expect(set.size).toBeLessThan(17)
  expect(set.size).toBeGreaterThanOrEqual(10)
  expect(widest(set)).toBeLessThanOrEqual(250)
})

test.each(['W', '王', 'ع', 'عمر ', 'ไทย', '👩‍👩‍👧', 'Zoë '])(
  'a name of 200 times %s ends where the room ends',
  async (piece) => {
    const set = await layOutText(piece.repeat(200), NAME)
    expect(set.lines).toHaveLength(2)
    expect(widest(set)).toBeLessThanOrEqual(250)
    expect(shown(set).join('')).toContain('…')
  },
)

test('Chinese breaks between characters', async () => {
  const set = await layOutText('王小明'.repeat(8), NAME)
  expect(shown(set).join('')).toBe('王小明'.repeat(8))
  expect(set.lines).toHaveLength(2)
})

const glyphsOf = async (text: string) => {
  const { runs } = (await layOutText(text, NAME)).lines[0]!
  return runs.flatMap(({ shaped }) => shaped.glyphs.map(({ glyph }) => glyph))
}

test('Tibetan breaks after a syllable, which ends with a dot and not with a space', async () => {
  const set = await layOutText('བསྟན་འཛིན་རྒྱ་མཚོ་'.repeat(4), NAME)
  expect(shown(set).join('')).toBe('བསྟན་འཛིན་རྒྱ་མཚོ་'.repeat(4))
  expect(shown(set).map((line) => line.endsWith('་'))).toEqual([true, true])
})

test('Arabic letters are joined: each takes another form than it has alone', async () => {
  const forms = async (text: string) => (await glyphsOf(text)).map(({ outline }) => outline.bytes.toString('hex'))
  const alone = new Set((await Promise.all(['ع', 'م', 'ر'].map(forms))).flat())

  expect((await forms('عمر')).filter((form) => alone.has(form))).toEqual([])
  expect((await forms('ع م')).filter((form) => alone.has(form))).toHaveLength(2)
})

test.each([
  ['a ligature', 'office', 'ffi'],
  ['a vowel that stands before its letter', 'ऋषि', 'षि'],
  ['a vowel of two parts around its letter', 'கொ', 'கொ'],
  ['letters that grow together', 'শ্রী', 'শ্রী'],
])('%s is one glyph that stands for its whole text', async (_kind, text, cluster) => {
  const glyphs = await glyphsOf(text)

  expect(glyphs.map((glyph) => glyph.text).join('')).toBe(text)
  expect(glyphs.map((glyph) => glyph.text)).toContain(cluster)
})

test('an accent stays with its letter, in one font', async () => {
  const { runs } = (await layOutText('क\u0301', NAME)).lines[0]!

  expect(runs.map(({ text }) => text)).toEqual(['क\u0301'])
})
