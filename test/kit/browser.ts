import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const isRoot = process.getuid?.() === 0

/**
 * The system's Chromium, brought along where there is none and we may. What is known under another address, like the
 * console under its own, can be led to where it listens.
 */
export const openBrowser = async (led: Record<string, string> = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium() ?? installChromium(),
    headless: true,
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      '--no-first-run',
      '--disable-dev-shm-usage',
      // Shops stand at names beneath localhost, and nothing else is to be reached at all.
      `--host-resolver-rules=${[
        ...Object.entries(led).map(([from, to]) => `MAP ${from} ${to}`),
        'MAP *.localhost 127.0.0.1',
        'MAP localhost 127.0.0.1',
        'EXCLUDE 127.0.0.1',
        'MAP * ~NOTFOUND',
      ].join(', ')}`,
    ],
  })

const findChromium = (): string | null => {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const files = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return files.find(isExecutable) ?? null
}

const isExecutable = (file: string) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const installChromium = (): string => {
  if (!isRoot) {
    throw new Error('The browser tests need a Chromium: install one, or run them as root so that they can do it.')
  }
  process.stderr.write('No Chromium was found; it is being installed with apt-get.\n')
  const quietly = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update'], quietly)
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], quietly)
  const found = findChromium()
  if (!found) throw new Error('apt-get installed no Chromium; install one by hand.')
  return found
}
