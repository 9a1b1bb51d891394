import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { buildFolder, readBuildStamp } from './build-stamp.ts'

/** A file whose name changes with its content, in every encoding it was built in. */
export interface BuiltFile {
  type: string
  plain: Buffer
  br: Buffer | null
  gzip: Buffer | null
}

/** A front as it was built: its page, still without a nonce, and its files. */
export interface BuiltFront {
  page: string
  files: ReadonlyMap<string, BuiltFile>
}

export const ENCODED = { br: '.br', gzip: '.gz' } as const

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** All of it is small and is kept in memory, so a build may be replaced while it is served. Null: nothing was built. */
export const readBuiltFront = async (front: string): Promise<BuiltFront | null> => {
  const folder = path.join(buildFolder(readBuildStamp()), front)
  if (!existsSync(folder)) return null
  const assets = path.join(folder, 'assets')
  const names = new Set(await readdir(assets))
  const readOrNull = (name: string) => (names.has(name) ? readFile(path.join(assets, name)) : null)
  const files = new Map<string, BuiltFile>()
  for (const name of names) {
    const type = TYPES[path.extname(name)]
    if (!type) continue
    files.set(name, {
      type,
      plain: await readFile(path.join(assets, name)),
      br: await readOrNull(name + ENCODED.br),
      gzip: await readOrNull(name + ENCODED.gzip),
    })
  }
  return { page: await readFile(path.join(folder, 'index.html'), 'utf8'), files }
}
