import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type Face, loadShaper, toFace, type Weight } from './face.ts'
import { slicesFor } from './slices.ts'

const require = createRequire(import.meta.url)

interface Family {
  /** The package's name, which is the font's. */
  folder: string
  /** Characters for which it is worth opening. */
  writes: RegExp
  hasBold?: false
}

/** Writes Latin, Greek, Cyrillic and Devanagari, and is asked first for every character. */
const MAIN: Family = { folder: 'noto-sans', writes: /./u }

/** Opened when a text holds something that those before it cannot write. */
const FAMILIES: readonly Family[] = [
  { folder: 'noto-sans-arabic', writes: /\p{scx=Arabic}/u },
  { folder: 'noto-sans-armenian', writes: /\p{scx=Armenian}/u },
  { folder: 'noto-sans-bengali', writes: /\p{scx=Bengali}/u },
  { folder: 'noto-sans-ethiopic', writes: /\p{scx=Ethiopic}/u },
  { folder: 'noto-sans-georgian', writes: /\p{scx=Georgian}/u },
  { folder: 'noto-sans-gujarati', writes: /\p{scx=Gujarati}/u },
  { folder: 'noto-sans-gurmukhi', writes: /\p{scx=Gurmukhi}/u },
  { folder: 'noto-sans-hebrew', writes: /\p{scx=Hebrew}/u },
  { folder: 'noto-sans-kannada', writes: /\p{scx=Kannada}/u },
  { folder: 'noto-sans-khmer', writes: /\p{scx=Khmer}/u },
  { folder: 'noto-sans-lao', writes: /\p{scx=Lao}/u },
  { folder: 'noto-sans-malayalam', writes: /\p{scx=Malayalam}/u },
  { folder: 'noto-sans-myanmar', writes: /\p{scx=Myanmar}/u },
  { folder: 'noto-sans-oriya', writes: /\p{scx=Oriya}/u },
  { folder: 'noto-sans-sinhala', writes: /\p{scx=Sinhala}/u },
  { folder: 'noto-sans-tamil', writes: /\p{scx=Tamil}/u },
  { folder: 'noto-sans-telugu', writes: /\p{scx=Telugu}/u },
  { folder: 'noto-sans-thaana', writes: /\p{scx=Thaana}/u },
  { folder: 'noto-sans-thai', writes: /\p{scx=Thai}/u },
  { folder: 'noto-serif-tibetan', writes: /\p{scx=Tibetan}/u },
  { folder: 'noto-sans-tifinagh', writes: /\p{scx=Tifinagh}/u, hasBold: false },
  { folder: 'noto-emoji', writes: /[\p{Emoji}\p{Extended_Pictographic}\u20e3]/u },
  { folder: 'noto-sans-symbols', writes: /[\p{S}\p{N}]/u },
  { folder: 'noto-sans-symbols-2', writes: /[\p{S}\p{N}]/u, hasBold: false },
  { folder: 'noto-sans-math', writes: /[\p{Sm}\u{1d400}-\u{1d7ff}]/u, hasBold: false },
]

/** Everything that may write this text, the likeliest first. */
export const facesFor = async (text: string, weight: Weight): Promise<Face[]> => {
  const main = await openFace(MAIN, weight)
  const isMissing = (character: string, faces: Face[]) => !faces.some((face) => face.covers(character.codePointAt(0)!))

  const faces = [main]
  let missing = Array.from(new Set(text)).filter((character) => isMissing(character, faces))
  for (const family of FAMILIES) {
    if (missing.length === 0) return faces
    if (!missing.some((character) => family.writes.test(character))) continue
    const face = await openFace(family, weight)
    faces.push(face)
    missing = missing.filter((character) => isMissing(character, [face]))
  }
  return [...faces, ...(await slicesFor(text, weight))]
}

/** Opening a font costs more than writing a whole ticket with it, so each is opened once and kept. */
const open = new Map<string, Promise<Face>>()

const openFace = (family: Family, weight: Weight): Promise<Face> => {
  const { folder, hasBold = true } = family
  const style = weight === 'bold' && hasBold ? '600SemiBold' : '400Regular'
  const name = folder.replaceAll(/(?:^|-)(.)/g, (_match, letter: string) => letter.toUpperCase())
  const key = `${name}_${style}`
  let opening = open.get(key)
  if (!opening) {
    opening = readFace(key.replace('_', '-'), require.resolve(`@expo-google-fonts/${folder}/${style}/${key}.ttf`))
    open.set(key, opening)
    // A file that could not be read now may be readable later.
    opening.catch(() => open.delete(key))
  }
  return opening
}

const readFace = async (name: string, file: string): Promise<Face> => {
  const [harfBuzz, bytes] = await Promise.all([loadShaper(), readFile(file)])
  return toFace(harfBuzz, name, new harfBuzz.Font(new harfBuzz.Face(new harfBuzz.Blob(bytes))))
}
