import type { Secrets } from '../../kernel/secrets.ts'
import type { SecretName } from '../payment-method.ts'

const PURPOSE = 'payment secrets'

/** Sealed together with whose it is: a row that was copied to another account opens nothing there. */
const ownerOf = (accountId: number, name: SecretName) => `${accountId} ${name} `

export const sealMethodSecret = (secrets: Secrets, accountId: number, name: SecretName, secret: string): string =>
  secrets.seal(PURPOSE, ownerOf(accountId, name) + secret).toString('base64')

type SealedSecrets = Partial<Record<SecretName, string>>

export const openMethodSecrets = (secrets: Secrets, accountId: number, sealed: SealedSecrets): SealedSecrets =>
  Object.fromEntries(
    Object.entries(sealed).map(([name, text]) => {
      const owner = ownerOf(accountId, name as SecretName)
      const opened = secrets.open(PURPOSE, Buffer.from(text, 'base64'))
      if (!opened.startsWith(owner)) throw new Error('A secret of a payment method is another one’s')
      return [name, opened.slice(owner.length)]
    }),
  )
