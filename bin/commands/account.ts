import { moveAccount } from '../../src/shards/move-account.ts'
import { counted, need, print, read, withApp } from '../command-line.ts'
import { UsageFault } from '../usage-fault.ts'

export const run = async ([verb, subdomain, ...argv]: string[]) => {
  if (verb !== 'move' || !subdomain || subdomain.startsWith('-')) {
    throw new UsageFault('The account command is: account move SUBDOMAIN --to SHARD.')
  }
  const to = need(read(argv, { to: { type: 'string' } }), 'to')
  const { rows, pausedMs } = await withApp('account', (app) => moveAccount(app, { subdomain, to }))
  print(
    rows === 0
      ? `The account "${subdomain}" is on ${to} already.`
      : `Moved ${counted(rows, 'row')} of "${subdomain}" to ${to}; nothing could be written for ${(pausedMs / 1000).toFixed(1)} s.`,
  )
}
