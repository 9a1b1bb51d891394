import { withApp } from '../command-line.ts'

export const run = () => withApp('migrate', async () => undefined)
