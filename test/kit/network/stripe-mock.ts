import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findOrBuild } from '../process/go-program.ts'

const STRIPE_MOCK = {
  module: 'github.com/stripe/stripe-mock',
  version: 'v0.203.0',
  need: 'The tests of Stripe need stripe-mock',
}

/** Free ports of this machine alone; without the second it would take a fixed one on every network. */
const ADDRESSES = ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0']

/** Stripe's own double: it holds every request against Stripe's description of its API, and remembers nothing. */
export const openStripeMock = async () => {
  const child = spawn(await findOrBuild(STRIPE_MOCK), ADDRESSES, { stdio: ['ignore', 'pipe', 'inherit'] })
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (piece: Buffer) => {
      said += piece.toString('utf8')
      const [, found] = /Listening for HTTP at address: (127\.0\.0\.1:\d+)/.exec(said) ?? []
      if (found) resolve(`http://${found}`)
    })
    child.once('exit', () => reject(new Error(`stripe-mock has ended: ${said}`)))
    child.once('error', reject)
  })
  return {
    address,
    close: async () => {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}
