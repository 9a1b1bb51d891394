import type { Secrets } from '../../kernel/secrets.ts'

const PURPOSE = 'wallet keys'

/** Sealed together with whose it is: a row that was copied to another account opens nothing there. */
const ownerOf = (accountId: number) => `${accountId} `

export const sealWalletSecret = (secrets: Secrets, accountId: number, secret: string): Buffer =>
  secrets.seal(PURPOSE, ownerOf(accountId) + secret)

export const openWalletSecret = (secrets: Secrets, accountId: number, sealed: Buffer): string => {
  const opened = secrets.open(PURPOSE, sealed)
  const owner = ownerOf(accountId)
  if (!opened.startsWith(owner)) throw new Error('A key for passes is another account’s')
  return opened.slice(owner.length)
}
