import { type Browser, chromium } from 'playwright-core'
import { findOrInstall, isRoot } from '../process/system-program.ts'

const CHROMIUM = {
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  debianPackage: 'chromium',
  need: 'The browser tests need a Chromium',
}

/**
 * The system's Chromium, brought along where there is none and we may. What is known under another address, like the
 * console under its own, can be led to where it listens.
 */
export const openBrowser = async (led: Record<string, string> = {}, more: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: findOrInstall(CHROMIUM),
    headless: true,
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
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
