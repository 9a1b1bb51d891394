import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

export const REPOSITORY_ROOT = path.join(import.meta.dirname, '../..')

/** Everything that decides what a build holds: the fronts, what they take from the server, and the packages. */
const sources = (): string[] => {
  const below = (folder: string) =>
    readdirSync(path.join(REPOSITORY_ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    )
  return [
    ...below('web').filter((file) => /\.\w+$/.test(file) && !/\.test\.tsx?$/.test(file)),
    ...below('src').filter((file) => path.basename(file) === 'rules.ts'),
    'bin/build-fronts.js',
    'bin/build-fronts.ts',
    'vite.config.ts',
    'package-lock.json',
  ].toSorted()
}

/** What the package brings along: it has neither the sources nor the list of packages that they were built with. */
export const RELEASED_BUILD = 'released'

/** A name for what the sources say now: the same sources are built once, and changed ones are never served stale. */
export const readBuildStamp = (): string => {
  if (!existsSync(path.join(REPOSITORY_ROOT, 'package-lock.json'))) return RELEASED_BUILD
  const hash = createHash('sha256')
  for (const file of sources())
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(REPOSITORY_ROOT, file)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

export const DIST_FOLDER = path.join(REPOSITORY_ROOT, 'dist')

/** The folder of a build; it stands there whole or not at all. */
export const buildFolder = (stamp: string) => path.join(DIST_FOLDER, stamp)
