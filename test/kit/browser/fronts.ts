import { readBuiltFront } from '../../../src/fronts/built-front.ts'
import { ensureBuilt } from '../../../src/fronts/ensure-built.ts'
import type { Front } from '../../../src/fronts/rules.ts'
import { once } from '../../../src/kernel/once.ts'

/**
 * The fronts as they are now: `npm ci` has built them, and only what has changed since is built anew. A run looks at
 * their sources once in each of its processes.
 */
export const buildFronts = once(() =>
  ensureBuilt({
    warn: (details, message) => {
      throw new Error(`${message}: ${JSON.stringify(details)}`)
    },
  }),
)

const namesOfFiles = (front: Front) =>
  once(async (): Promise<string[]> => {
    await buildFronts()
    return Array.from((await readBuiltFront(front))!.files.keys())
  })

/** The names of the console's files. */
export const consoleFiles = namesOfFiles('console')

export const doorFiles = namesOfFiles('door')
