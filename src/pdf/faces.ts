import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Face, toFace, type Weight } from './face.ts'
import { PLAIN } from './runs.ts'
import { loadShaper } from './shaper.ts'
import { loadEastAsianFacesFor } from './slices.ts'

const require = createRequire(import.meta.url)

interface Family {
  /** The package's name, which is the font's. */
  folder: string
  hasBold?: false
  /** What most documents write with it. */
  common?: readonly string[]
}

/** What names, addresses and prices are mostly written with, in English and German. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜabcdefghijklmnopqrstuvwxyzäöüß0123456789 .,:;-/()@&_+%€·–'
/** And where letters look otherwise together. */
const COMMON = [...Array.from(LETTERS), 'ff', 'fi', 'fl', 'ffi', 'ffl', 'P.', 'r.']

/** Writes Latin, Greek, Cyrillic and Devanagari, and is asked first for every character. */
const MAIN: Family = { folder: 'noto-sans', common: COMMON }

/** Opened when a text holds something that those before it cannot write. */
const FAMILIES: readonly (Family & { writes: string })[] = [
  { folder: 'noto-sans-arabic', writes: String.raw`\p{scx=Arabic}` },
  { folder: 'noto-sans-armenian', writes: String.raw`\p{scx=Armenian}` },
  { folder: 'noto-sans-bengali', writes: String.raw`\p{scx=Bengali}` },
  { folder: 'noto-sans-ethiopic', writes: String.raw`\p{scx=Ethiopic}` },
  { folder: 'noto-sans-georgian', writes: String.raw`\p{scx=Georgian}` },
  { folder: 'noto-sans-gujarati', writes: String.raw`\p{scx=Gujarati}` },
  { folder: 'noto-sans-gurmukhi', writes: String.raw`\p{scx=Gurmukhi}` },
  { folder: 'noto-sans-hebrew', writes: String.raw`\p{scx=Hebrew}` },
  { folder: 'noto-sans-kannada', writes: String.raw`\p{scx=Kannada}` },
  { folder: 'noto-sans-khmer', writes: String.raw`\p{scx=Khmer}` },
  { folder: 'noto-sans-lao', writes: String.raw`\p{scx=Lao}` },
  { folder: 'noto-sans-malayalam', writes: String.raw`\p{scx=Malayalam}` },
  { folder: 'noto-sans-myanmar', writes: String.raw`\p{scx=Myanmar}` },
  { folder: 'noto-sans-oriya', writes: String.raw`\p{scx=Oriya}` },
  { folder: 'noto-sans-sinhala', writes: String.raw`\p{scx=Sinhala}` },
  { folder: 'noto-sans-tamil', writes: String.raw`\p{scx=Tamil}` },
  { folder: 'noto-sans-telugu', writes: String.raw`\p{scx=Telugu}` },
  { folder: 'noto-sans-thaana', writes: String.raw`\p{scx=Thaana}` },
  { folder: 'noto-sans-thai', writes: String.raw`\p{scx=Thai}` },
  { folder: 'noto-serif-tibetan', writes: String.raw`\p{scx=Tibetan}` },
  { folder: 'noto-sans-tifinagh', writes: String.raw`\p{scx=Tifinagh}`, hasBold: false },
  { folder: 'noto-emoji', writes: String.raw`[\p{Emoji}\p{Extended_Pictographic}\u20e3]` },
  { folder: 'noto-sans-symbols', writes: String.raw`[\p{S}\p{N}]` },
  { folder: 'noto-sans-symbols-2', writes: String.raw`[\p{S}\p{N}]`, hasBold: false },
  { folder: 'noto-sans-math', writes: String.raw`[\p{Sm}\u{1d400}-\u{1d7ff}]`, hasBold: false },
]

/** Everything that may write this text, the likeliest first. */
export const loadFacesFor = async (text: string, weight: Weight): Promise<Face[]> => {
  const main = await openFace(MAIN, weight)
  if (PLAIN.test(text)) return [main]
  const isMissing = (character: string, faces: Face[]) => !faces.some((face) => face.covers(character.codePointAt(0)!))

  const faces = [main]
  let missing = Array.from(new Set(text)).filter((character) => isMissing(character, faces))
  for (const family of FAMILIES) {
    if (missing.length === 0) return faces
    if (!missing.some((character) => patternOf(family.writes).test(character))) continue
    const face = await openFace(family, weight)
    faces.push(face)
    missing = missing.filter((character) => isMissing(character, [face]))
  }
  return [...faces, ...(await loadEastAsianFacesFor(text, weight))]
}

/** Made when they are first asked for: the tables of characters behind them are large. */
const patterns = new Map<string, RegExp>()

const patternOf = (characters: string): RegExp => {
  const pattern = patterns.get(characters) ?? new RegExp(characters, 'u')
  patterns.set(characters, pattern)
  return pattern
}

/** Opening a font costs more than writing a whole ticket with it, so each is opened once and kept. */
const open = new Map<string, Promise<Face>>()

const openFace = (family: Family, weight: Weight): Promise<Face> => {
  const { folder, hasBold = true, common } = family
  const style = weight === 'bold' && hasBold ? '600SemiBold' : '400Regular'
  const name = folder.replaceAll(/(?:^|-)(.)/g, (_match, letter: string) => letter.toUpperCase())
  const key = `${name}_${style}`
  let opening = open.get(key)
  if (!opening) {
    const file = require.resolve(`@expo-google-fonts/${folder}/${style}/${key}.ttf`)
    opening = readFace(key.replace('_', '-'), file, common)
    open.set(key, opening)
    // A file that could not be read now may be readable later.
    opening.catch(() => open.delete(key))
  }
  return opening
}

const readFace = async (name: string, file: string, common?: readonly string[]): Promise<Face> => {
  const [harfBuzz, bytes] = await Promise.all([loadShaper(), readFile(file)])
  return toFace(harfBuzz, name, new harfBuzz.Font(new harfBuzz.Face(new harfBuzz.Blob(bytes))), common)
}
