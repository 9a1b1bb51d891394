import type { Secrets } from '../kernel/secrets.ts'

const PURPOSE = 'webhook secrets'

export const sealSecret = (secrets: Secrets, secret: string): Buffer => secrets.seal(PURPOSE, secret)
export const unsealSecret = (secrets: Secrets, sealed: Buffer): string => secrets.open(PURPOSE, sealed)
