import { type Browser, chromium } from 'playwright-core'
import { findProgram, isRoot } from '../process/system-program.ts'
import { isChromiumPackaged, unpackChromium } from './packaged-chromium.ts'

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

interface Program {
  executablePath: string
  environment: Record<string, string>
  /** Whether it can shut its pages in: as root it cannot, nor without the helper that a system installs with it. */
  isSandboxed: boolean
}

const packaged = (): Program => ({ ...unpackChromium(), isSandboxed: false })

/**
 * The one among the packages: it is the same everywhere, and being a browser without windows it computes a tenth of what
 * the system's does for a page. Whoever needs a camera or push messages gets the system's where there is one, as do all
 * where FOYER_CHROMIUM is `system`, and none where it is `package`.
 */
const findChromium = (isWhole: boolean): Program => {
  const wanted = process.env['FOYER_CHROMIUM'] ?? (isWhole ? 'system' : 'package')
  if (wanted === 'package' && isChromiumPackaged) return packaged()
  const executablePath = findProgram(CHROMIUM)
  if (executablePath) return { executablePath, environment: {}, isSandboxed: !isRoot }
  if (isChromiumPackaged) return packaged()
  throw new Error(
    'The browser tests need a Chromium, and the packages have none for this kind of machine: install one.',
  )
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
