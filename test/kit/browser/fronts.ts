import { ensureBuilt } from '../../../src/fronts/ensure-built.ts'

/** The fronts as they are now: `npm ci` has built them, and only what has changed since is built anew. */
export const buildFronts = () =>
  ensureBuilt({
    warn: (details, message) => {
      throw new Error(`${message}: ${JSON.stringify(details)}`)
    },
  })
