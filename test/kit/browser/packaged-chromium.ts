import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const PACKAGE = '@sparticuz/chromium'

export interface PackagedChromium {
  executablePath: string
  /** Beside those of the process: where its libraries and fonts are, which a bare system has none of. */
  environment: Record<string, string>
  version: string
}

/** The package holds a program for this kind of machine only. */
export const isChromiumPackaged = process.platform === 'linux' && process.arch === 'x64'

/**
 * The Chromium that came with the packages of the tests. Packed it has 67 MB; it is unpacked when it is first needed,
 * beside the packages, and goes when they go.
 */
export const unpackChromium = (): PackagedChromium => {
  const modules = path.join(import.meta.dirname, '../../../node_modules')
  const home = path.join(modules, PACKAGE)
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string }
  const folder = path.join(modules, '.cache', `chromium-${version}`)
  if (!existsSync(folder)) unpackTo(folder, path.join(home, 'bin'))
  const fonts = path.join(folder, 'fonts')
  return {
    executablePath: path.join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      ...(!existsSync('/etc/fonts/fonts.conf') && { FONTCONFIG_PATH: fonts }),
    },
    version,
  }
}

/**
 * The package unpacks where temporary files are, and takes what is half there for whole; so it is given a folder of its
 * own, which gets its name when everything is there. Of test files that come at the same time one does it.
 */
const unpackTo = (folder: string, packed: string) => {
  mkdirSync(path.dirname(folder), { recursive: true })
  const own = mkdtempSync(`${folder}-`)
  const [entry, libraries, program] = [
    createRequire(import.meta.url).resolve(PACKAGE),
    path.join(packed, 'al2023.tar.br'),
    path.join(own, 'chromium'),
  ].map((each) => JSON.stringify(each))
  const script = `import { chmodSync, existsSync, renameSync } from 'node:fs'
    const [own, folder] = ${JSON.stringify([own, folder])}
    if (!existsSync(folder)) {
      const { default: chromium, inflate } = await import(${entry})
      await Promise.all([chromium.executablePath(), inflate(${libraries})])
      for (const each of [own, ${program}]) chmodSync(each, 0o755)
      renameSync(own, folder)
    }`
  try {
    execFileSync('flock', [`${folder}.lock`, process.execPath, '--input-type=module', '-e', script], {
      env: { ...process.env, TMPDIR: own },
    })
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
