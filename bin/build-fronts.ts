import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { DIST_FOLDER, buildFolder, readBuildStamp } from '../src/fronts/build-stamp.ts'
import { ENCODING_SUFFIXES } from '../src/fronts/built-front.ts'
import { FRONTS } from '../src/fronts/rules.ts'
import { frontConfig, withNonce } from '../vite.config.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Into a folder of its own first, so that whoever looks finds a build whole or not at all. */
const buildFronts = async (stamp: string) => {
  const unfinished = path.join(DIST_FOLDER, `unfinished-${process.pid}`)
  await mkdir(unfinished, { recursive: true })
  try {
    for (const front of FRONTS) {
      const config = front === 'console' ? withNonce(frontConfig(front)) : frontConfig(front)
      await build({ ...config, build: { ...config.build, outDir: path.join(unfinished, front), emptyOutDir: true } })
      await compressFiles(path.join(unfinished, front, 'assets'))
    }
    // Somebody else may have built the same meanwhile; theirs is as good.
    await rename(unfinished, buildFolder(stamp)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

const compressFiles = async (folder: string) => {
  for (const name of (await readdir(folder)).filter((each) => /\.(js|css|svg|wasm)$/.test(each))) {
    const bytes = await readFile(path.join(folder, name))
    const brotli = await toBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        // A megabyte of WebAssembly would take as long as all the rest, for a few hundredths less.
        [constants.BROTLI_PARAM_QUALITY]: name.endsWith('.wasm') ? 9 : constants.BROTLI_MAX_QUALITY,
      },
    })
    await writeFile(path.join(folder, name + ENCODING_SUFFIXES.br), brotli)
    await writeFile(path.join(folder, name + ENCODING_SUFFIXES.gzip), await toGzip(bytes, { level: 9 }))
  }
}

const KEPT_BUILDS = 3
const HOUR_MS = 3_600_000

/** Servers hold what they serve in memory, so old builds may go; the newest stay for those who are just starting. */
const sweepBuilds = async () => {
  const names = await readdir(DIST_FOLDER)
  const known = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(path.join(DIST_FOLDER, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  )
  const isLeft = ({ name, at }: { name: string; at: number }) =>
    name.startsWith('unfinished-') && at < Date.now() - HOUR_MS
  const builds = known.filter(({ name }) => !name.startsWith('unfinished-')).toSorted((a, b) => b.at - a.at)
  for (const { name } of [...builds.slice(KEPT_BUILDS), ...known.filter(isLeft)]) {
    await rm(path.join(DIST_FOLDER, name), { recursive: true, force: true })
  }
}

const stamp = readBuildStamp()
if (!existsSync(buildFolder(stamp))) {
  await buildFronts(stamp)
  await sweepBuilds()
}
