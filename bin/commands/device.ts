import { pairDevice, revokeDevice } from '../../src/access/operator.ts'
import { need, print, read, withApp } from '../command-line.ts'
import { UsageFault } from '../usage-fault.ts'

export const run = async ([verb, ...argv]: string[]) => {
  if (verb !== 'pair' && verb !== 'revoke') throw new UsageFault('The device commands are: device pair, device revoke.')
  const options = read(argv, { account: { type: 'string' }, name: { type: 'string' } })
  const device = { subdomain: need(options, 'account'), name: need(options, 'name') }
  if (verb === 'pair') print(await withApp('device', (app) => pairDevice(app, device)))
  else await withApp('device', (app) => revokeDevice(app, device))
}
