import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Throws away what nobody of this process needs any more, at once. */
export const collectGarbage = runInNewContext('gc') as () => void
