import { readFileSync } from 'node:fs'
import { Misconfigured } from './misconfigured.ts'

/** With what the installation signs passes for wallets, each as the text of its file; null: it does not. */
export interface WalletSettings {
  apple: { certificate: string; key: string; intermediate: string } | null
  google: { issuerId: string; key: string } | null
}

type Environment = Record<string, string | undefined>

const APPLE = ['WALLET_APPLE_CERTIFICATE', 'WALLET_APPLE_KEY', 'WALLET_APPLE_INTERMEDIATE'] as const
const GOOGLE = ['WALLET_GOOGLE_ISSUER_ID', 'WALLET_GOOGLE_KEY'] as const

export const readWalletSettings = (environment: Environment): WalletSettings => {
  const apple = readTogether(environment, APPLE, 'passes for Apple Wallet are signed')
  const google = readTogether(environment, GOOGLE, 'passes for Google Wallet are signed')
  return {
    apple: apple && {
      certificate: readText(APPLE[0], apple[0]!),
      key: readText(APPLE[1], apple[1]!),
      intermediate: readText(APPLE[2], apple[2]!),
    },
    google: google && { issuerId: google[0]!, key: readText(GOOGLE[1], google[1]!) },
  }
}

const readTogether = (environment: Environment, names: readonly string[], purpose: string): string[] | null => {
  const missing = names.filter((name) => !environment[name])
  if (missing.length === names.length) return null
  if (missing.length > 0) throw new Misconfigured(`${missing.join(', ')} must be set where ${purpose}.`)
  return names.map((name) => environment[name]!)
}

/** What begins like the content is the content; anything else is the file it stands in. */
const readText = (name: string, value: string): string => {
  if (/^\s*(-----BEGIN|\{)/.test(value)) return value
  try {
    return readFileSync(value, 'utf8')
  } catch (error) {
    throw new Misconfigured(`The file of ${name} cannot be read: ${(error as Error).message}.`)
  }
}
