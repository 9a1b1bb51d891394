import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as fontkit from 'fontkit'
import { type Face, toFace, type Weight } from './face.ts'
import { slicesFor } from './slices.ts'
import { drawFromFile } from './subset.ts'
import { readTables } from './truetype.ts'

const require = createRequire(import.meta.url)

/** Noto Sans itself writes Latin, Greek, Cyrillic and Devanagari. Asked in this order for every character. */
const FILES: Record<Weight, Record<string, string>> = {
  regular: {
    'NotoSans-Regular': require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    'NotoSansArabic-Regular':
      require.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    'NotoSansHebrew-Regular':
      require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
    'NotoSansThai-Regular': require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
  },
  bold: {
    'NotoSans-SemiBold': require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
    'NotoSansArabic-SemiBold':
      require.resolve('@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf'),
    'NotoSansHebrew-SemiBold':
      require.resolve('@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf'),
    'NotoSansThai-SemiBold':
      require.resolve('@expo-google-fonts/noto-sans-thai/600SemiBold/NotoSansThai_600SemiBold.ttf'),
  },
}

/** Opening a font costs more than writing a whole ticket with it, so each is opened once and kept. */
const open = new Map<Weight, Face[]>()

const wholeFaces = (weight: Weight): Face[] => {
  const known = open.get(weight)
  if (known) return known

  const faces = Object.entries(FILES[weight]).map(([name, file]) => openFace(name, readFileSync(file)))
  open.set(weight, faces)
  return faces
}

export const openFace = (name: string, file: Buffer): Face => {
  const tables = readTables(file)
  return toFace(name, fontkit.create(file) as fontkit.Font, tables, drawFromFile(tables))
}

/** Everything that may write this text, the likeliest first. */
export const facesFor = async (text: string, weight: Weight): Promise<Face[]> => [
  ...wholeFaces(weight),
  ...(await slicesFor(text, weight)),
]
