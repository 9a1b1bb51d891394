import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { buildFolder, readBuildStamp } from './build-stamp.ts'
import type { Front } from './rules.ts'

/** A file whose name changes with its content, in every encoding it was built in. */
export interface BuiltFile {
  type: string
  plain: Buffer
  br: Buffer | null
  gzip: Buffer | null
}

/** A front as it was built. */
export interface BuiltFront {
  /** Changes with anything in it. */
  stamp: string
  /** Still without a nonce. */
  page: string
  files: ReadonlyMap<string, BuiltFile>
  /** Those whose names stay the same whatever is in them: icons, a manifest, a service worker. */
  namedFiles: ReadonlyMap<string, BuiltFile>
}

export const ENCODING_SUFFIXES = { br: '.br', gzip: '.gz' } as const

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

/** All of it is small and is kept in memory, so a build may be replaced while it is served. Null: nothing was built. */
export const readBuiltFront = async (front: Front): Promise<BuiltFront | null> => {
  const stamp = readBuildStamp()
  const folder = path.join(buildFolder(stamp), front)
  if (!existsSync(folder)) return null
  return {
    stamp,
    page: await readFile(path.join(folder, 'index.html'), 'utf8'),
    files: await readFiles(path.join(folder, 'assets')),
    namedFiles: await readFiles(folder),
  }
}

const readFiles = async (folder: string): Promise<Map<string, BuiltFile>> => {
  const names = new Set(await readdir(folder))
  const readOrNull = (name: string) => (names.has(name) ? readFile(path.join(folder, name)) : null)
  const files = new Map<string, BuiltFile>()
  for (const name of names) {
    const type = TYPES[path.extname(name)]
    if (!type) continue
    files.set(name, {
      type,
      plain: await readFile(path.join(folder, name)),
      br: await readOrNull(name + ENCODING_SUFFIXES.br),
      gzip: await readOrNull(name + ENCODING_SUFFIXES.gzip),
    })
  }
  return files
}
