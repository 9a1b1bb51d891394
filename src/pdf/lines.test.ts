import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'
import { expect, test } from 'vitest'
import { openFace } from './faces.ts'
import { type Fit, setText } from './lines.ts'

const NAME: Fit = { weight: 'bold', size: 17, sizeMin: 10, width: 250, linesMax: 2 }

const widest = ({ lines, size }: Awaited<ReturnType<typeof setText>>) =>
  Math.max(...lines.map(({ width }) => width * size))
const shown = ({ lines }: Awaited<ReturnType<typeof setText>>) =>
  lines.map(({ runs }) => runs.map(({ text }) => text).join(''))

test('a short name is one line in full size', async () => {
  const set = await setText('Zoë Müller', NAME)
  expect(shown(set)).toEqual(['Zoë Müller'])
  expect(set.size).toBe(17)
})

test('a long name takes two lines and, where that is not enough, a smaller size', async () => {
  const set = await setText('Wolfeschlegelsteinhausenbergerdorff Hubert Blaine the Third of the Long Line', NAME)
  expect(shown(set)).toHaveLength(2)
  expect(set.size).toBeLessThan(17)
  expect(set.size).toBeGreaterThanOrEqual(10)
  expect(widest(set)).toBeLessThanOrEqual(250)
})

test.each(['W', '王', 'ع', 'عمر ', 'ไทย', '👩‍👩‍👧', 'Zoë '])(
  'a name of 200 times %s ends where the room ends',
  async (piece) => {
    const set = await setText(piece.repeat(200), NAME)
    expect(set.lines).toHaveLength(2)
    expect(widest(set)).toBeLessThanOrEqual(250)
    expect(shown(set).join('')).toContain('…')
  },
)

test('Chinese breaks between characters', async () => {
  const set = await setText('王小明'.repeat(8), NAME)
  expect(shown(set).join('')).toBe('王小明'.repeat(8))
  expect(set.lines).toHaveLength(2)
})

test('Arabic letters are joined: each takes another form than it has alone', async () => {
  const forms = async (text: string) => {
    const { face } = (await setText(text, NAME)).lines[0]!.runs[0]!
    return face!.font.layout(text).glyphs.map(({ id }) => id)
  }
  const alone = new Set((await Promise.all(['ع', 'م', 'ر'].map(forms))).flat())

  expect((await forms('عمر')).filter((form) => alone.has(form))).toEqual([])
  expect((await forms('ع م')).filter((form) => alone.has(form))).toHaveLength(2)
})

test('a letter that was asked for as a part of another is still found by its own name', () => {
  const file = createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')
  const letter = 'e'.codePointAt(0)!
  const askThenFind = (font: fontkit.Font) => {
    const { id } = (fontkit.create(readFileSync(file)) as fontkit.Font).glyphForCodePoint(letter)
    font.getGlyph(id)
    return font.layout('e').glyphs[0]!.codePoints
  }

  expect(askThenFind(openFace('NotoSans-Regular', readFileSync(file)).font)).toEqual([letter])
  // Without our care the library forgets it, which is what this test is about.
  expect(askThenFind(fontkit.create(readFileSync(file)) as fontkit.Font)).toEqual([])
})
