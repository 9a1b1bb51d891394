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

/**
 * The one among the packages: it is the same everywhere, and being a browser without windows it computes a tenth of what
 * the system's does for a page. It has no cameras to ask for and no push service: whoever needs a whole browser gets the
 * system's, brought along where there is none and we may, as does everybody where FOYER_CHROMIUM is `system`.
 */
const findChromium = (isWhole: boolean): Program => {
  const wanted = process.env['FOYER_CHROMIUM'] ?? (isWhole ? 'system' : 'package')
  if (wanted === 'package' && isChromiumPackaged) return packaged()
  try {
    return { executablePath: findOrInstall(CHROMIUM), environment: {}, isSandboxed: !isRoot }
  } catch (error) {
    if (!isChromiumPackaged) throw error
    return packaged()
  }
}

/** Addresses by where they lead: what is known under another one, like the console under its own. */
type Led = Record<string, string>

export const openBrowser = (led: Led = {}): Promise<Browser> => launch(findChromium(false), led, [])

/** One with a camera, and with whatever else the switches say. */
export const openWholeBrowser = (led: Led = {}, switches: string[] = []): Promise<Browser> =>
  launch(findChromium(true), led, switches)

const launch = (
  { executablePath, environment, isSandboxed }: Program,
  led: Led,
  switches: string[],
): Promise<Browser> =>
  chromium.launch({
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
      ...switches,
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
