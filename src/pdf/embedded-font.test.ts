import { expect, test } from 'vitest'
import { readPdf } from '../../test/kit/venue/read-pdf.ts'
import { loadFacesFor } from './faces.ts'
import { type TextBox, layOutText } from './lines.ts'
import { openPdf } from './pdf-pages.ts'

const BOX: TextBox = { weight: 'regular', size: 10, sizeMin: 10, width: 500, linesMax: 1 }

const write = async (...texts: string[]) => {
  const paper = openPdf({ language: 'en', title: 'Names', author: 'Foyer' }, { width: 600, height: 400 })
  paper.turnPage('Names')
  let y = 20
  for (const text of texts) y = paper.write('P', await layOutText(text, BOX), { x: 20, y, color: '#000000' })
  return paper.finish()
}

/** Of each font in the file: how long its program is. */
const programsOf = (file: Buffer) =>
  Array.from(file.toString('latin1').matchAll(/\/FontFile2 (\d+) 0 R/g), ([, number]) => {
    const object = new RegExp(`\\n${number} 0 obj\\n<<[^>]*/Length (\\d+)\\n`).exec(file.toString('latin1'))
    return Number(object![1])
  })

test('what is written with common letters takes the font that is made already, whichever letters they are', async () => {
  const [one, other] = [await write('Buyer 12, door. offer'), await write('Zürich – 40,00 € (P. Müller)')]
  expect(programsOf(one)).toHaveLength(1)
  expect(programsOf(one)).toEqual(programsOf(other))
  expect(readPdf(one).pages[0]).toMatchObject({ texts: ['Buyer 12, door. offer'], missing: 0 })
  expect(readPdf(other).pages[0]).toMatchObject({ texts: ['Zürich – 40,00 € (P. Müller)'], missing: 0 })
})

test('one other letter makes a font of the letters that are used, in which all of them are read as before', async () => {
  const shared = programsOf(await write('Lukasz'))
  const file = await write('Łukasz Żółć', 'Zoë and Иван', 'Lukasz')
  expect(programsOf(file)[0]).toBeLessThan(shared[0]!)
  expect(readPdf(file).pages[0]).toMatchObject({
    texts: ['Łukasz Żółć', 'Zoë and Иван', 'Lukasz'],
    missing: 0,
  })
})

test('a font without common letters is cut for each document', async () => {
  const file = await write('王小明', 'Ada')
  const common = programsOf(await write('Ada'))
  expect(programsOf(file)).toEqual([expect.any(Number), expect.any(Number), ...common])
  const [page] = readPdf(file).pages
  expect([page!.texts.join(''), page!.missing]).toEqual(['王小明Ada', 0])
})

test('common letters stay the same glyphs after thousands of others were seen', async () => {
  const [face] = await loadFacesFor('A', 'regular')
  const before = face!.shape('A', 'ltr').glyphs[0]!.glyph
  expect(face!.common).toContain(before)
  // Accents in pairs: each is a cluster of its own.
  const marks = Array.from({ length: 66 }, (_each, index) => String.fromCharCode(0x300 + index))
  for (const one of marks) for (const other of marks) face!.shape(`x${one}${other} ${one}A${other}`, 'ltr')
  expect(face!.shape('A', 'ltr').glyphs[0]!.glyph).toBe(before)
})
