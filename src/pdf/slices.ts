import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Face, toFace, type Weight } from './face.ts'
import { loadShaper } from './shaper.ts'

type Unpack = (packed: Buffer) => Promise<Uint8Array>

const require = createRequire(import.meta.url)

/**
 * The fonts of Chinese, Japanese and Korean are cut into about a hundred slices each, by how often their characters
 * are used. Only the slices that a text needs are opened, and then kept.
 */
const FAMILIES = {
  sc: require.resolve('@fontsource-variable/noto-sans-sc/unicode.json'),
  tc: require.resolve('@fontsource-variable/noto-sans-tc/unicode.json'),
  jp: require.resolve('@fontsource-variable/noto-sans-jp/unicode.json'),
  kr: require.resolve('@fontsource-variable/noto-sans-kr/unicode.json'),
}
type Family = keyof typeof FAMILIES

/** The slices also name symbols and emoji, some of which they do not hold; others write those. */
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u

const CODE_POINTS_END = 0x30000
const WEIGHTS: Record<Weight, number> = { regular: 400, bold: 600 }

/** The same character is drawn differently in each country; what else the text holds tells which is meant. */
const preferred = (text: string): Family[] => {
  if (KANA.test(text)) return ['jp', 'sc', 'tc', 'kr']
  if (HANGUL.test(text)) return ['kr', 'sc', 'tc', 'jp']
  return ['sc', 'tc', 'jp', 'kr']
}

export const loadEastAsianFacesFor = async (text: string, weight: Weight): Promise<Face[]> => {
  if (!EAST_ASIAN.test(text)) return []
  const families = preferred(text)
  const faces = new Set<Face>()
  for (const character of text) {
    if (!EAST_ASIAN.test(character)) continue
    const face = await faceOf(character.codePointAt(0)!, families, weight)
    if (face) faces.add(face)
  }
  return Array.from(faces)
}

const faceOf = async (codePoint: number, families: Family[], weight: Weight): Promise<Face | null> => {
  for (const family of families) {
    const slice = sliceOf(family, codePoint)
    if (slice === 0) continue
    const face = (await openSlice(family, slice))[weight]
    if (face.covers(codePoint)) return face
  }
  return null
}

/** Which slice holds a code point, by family; 0 where none does. */
const maps = new Map<Family, Uint8Array>()

const sliceOf = (family: Family, codePoint: number): number => {
  let map = maps.get(family)
  if (!map) {
    map = readMap(FAMILIES[family])
    maps.set(family, map)
  }
  return map[codePoint] ?? 0
}

/** Like {"[4]": "U+4e00,U+4e03-4e08"}; the slices without a number hold what Noto Sans writes. */
const readMap = (file: string): Uint8Array => {
  const map = new Uint8Array(CODE_POINTS_END)
  const slices = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  for (const [name, ranges] of Object.entries(slices)) {
    const slice = Number(/^\[(\d+)\]$/.exec(name)?.[1] ?? 0)
    for (const range of ranges.split(',')) {
      const [first = 0, last = first] = range
        .replace('U+', '')
        .split('-')
        .map((end) => Number.parseInt(end, 16))
      if (slice > 0) map.fill(slice, first, last + 1)
    }
  }
  return map
}

type Slice = Record<Weight, Face>
const slices = new Map<string, Promise<Slice>>()

const openSlice = (family: Family, slice: number): Promise<Slice> => {
  const name = `noto-sans-${family}-${slice}`
  let opening = slices.get(name)
  if (!opening) {
    opening = readSlice(path.join(path.dirname(FAMILIES[family]), 'files', `${name}-wght-normal.woff2`), name)
    slices.set(name, opening)
    // A file that could not be read now may be readable later.
    opening.catch(() => slices.delete(name))
  }
  return opening
}

const readSlice = async (packed: string, name: string): Promise<Slice> => {
  // @ts-expect-error It comes without types.
  const { default: unpack } = (await import('wawoff2/decompress.js')) as { default: Unpack }
  const harfBuzz = await loadShaper()
  const whole = new harfBuzz.Face(new harfBuzz.Blob(await unpack(await readFile(packed))))
  const faceOf = (weight: Weight) => {
    const font = new harfBuzz.Font(whole)
    font.setVariations([new harfBuzz.Variation('wght', WEIGHTS[weight])])
    return toFace(harfBuzz, `${name}-${weight}`, font)
  }
  return { regular: faceOf('regular'), bold: faceOf('bold') }
}
