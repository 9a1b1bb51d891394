import { readBuiltFront } from '../../../src/fronts/built-front.ts'
import { ensureBuilt } from '../../../src/fronts/ensure-built.ts'
import type { Front } from '../../../src/fronts/rules.ts'

/** The fronts as they are now: `npm ci` has built them, and only what has changed since is built anew. */
export const buildFronts = () =>
  ensureBuilt({
    warn: (details, message) => {
      throw new Error(`${message}: ${JSON.stringify(details)}`)
    },
  })

const filesOf = async (front: Front): Promise<string[]> => {
  await buildFronts()
  return Array.from((await readBuiltFront(front))!.files.keys())
}

/** The names of the console's files. */
export const consoleFiles = (): Promise<string[]> => filesOf('console')

export const doorFiles = (): Promise<string[]> => filesOf('door')
