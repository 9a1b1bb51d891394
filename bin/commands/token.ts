import { createToken } from '../../src/access/operator.ts'
import { need, print, read, withApp } from '../command-line.ts'
import { UsageFault } from '../usage-fault.ts'

export const run = async ([verb, ...argv]: string[]) => {
  if (verb !== 'create') throw new UsageFault('The token command is: token create.')
  const options = read(argv, {
    account: { type: 'string' },
    permission: { type: 'string' },
    person: { type: 'string' },
    description: { type: 'string' },
  })
  const token = await withApp('token', (app) =>
    createToken(app, {
      subdomain: need(options, 'account'),
      permission: need(options, 'permission'),
      personEmail: options['person'] as string | undefined,
      description: need(options, 'description'),
    }),
  )
  print(token)
}
