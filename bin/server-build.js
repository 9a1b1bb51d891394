import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '..')

/** Where the server is found bundled into a few files, and by which of them it is started. */
export const BUILDS_FOLDER = path.join(ROOT, 'dist/server')
export const ENTRY = 'foyer.js'

/** What the package brings along, for good: nobody changes its sources. */
export const RELEASED = 'released'

/** Everything that decides what a bundle holds. */
const sources = () => [
  ...['bin', 'src'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true })
      .filter((file) => /\.(js|json|ts)$/.test(file) && !file.endsWith('.test.ts'))
      .map((file) => path.join(folder, file)),
  ),
  'package.json',
  'package-lock.json',
]

/** A name for what the sources say now: changed ones are never run as they were. */
export const readServerStamp = () => {
  if (!existsSync(path.join(ROOT, 'package-lock.json'))) return RELEASED
  const hash = createHash('sha256')
  for (const file of sources().toSorted())
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(ROOT, file)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}
