import { pipeline } from 'node:stream/promises'
import { openAccountByCommand } from '../../src/access/operator.ts'
import { exportVenue } from '../../src/venue-file/export-venue.ts'
import { need, read, withApp } from '../command-line.ts'

export const run = async (argv: string[]) => {
  const subdomain = need(read(argv, { account: { type: 'string' } }), 'account')
  await withApp('export', async (app) => {
    const scope = await openAccountByCommand(app, subdomain, 'export account by command')
    await pipeline(await exportVenue(scope, async () => {}), process.stdout, { end: false })
  })
}
