import { text } from 'node:stream/consumers'
import { openAccountByCommand } from '../../../src/access/operator.ts'
import { exportVenue } from '../../../src/venue-file/export-venue.ts'
import { type LoadOptions, loadVenue } from '../../../src/venue-file/load-venue.ts'
import type { OpenApp } from './venue.ts'

/** What the command line prints of an account. */
export const exportOf = async ({ app }: Pick<OpenApp, 'app'>, subdomain: string): Promise<string> => {
  const account = await openAccountByCommand(app, subdomain, 'export account by command')
  return text(await exportVenue(account, async () => {}))
}

/** Loads a file into a Foyer, and exports the account again. */
export const loadAndExport = async (running: OpenApp, file: string, options: LoadOptions = {}): Promise<string> => {
  const { account } = await loadVenue(running.app, file, options)
  return exportOf(running, account.subdomain)
}
