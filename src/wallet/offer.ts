import type { AppServices } from '../access/app.ts'
import type { Rows } from '../access/scopes.ts'
import { signLink } from '../access/signed-links.ts'
import { isCertificateValid, issuersOf } from './configuration/issuers.ts'
import { ORDER_LINK, PASS_LINK } from './rules.ts'

/** Which wallets an account's tickets can be put into now: those for which somebody can sign. */
export interface WalletOffer {
  apple: boolean
  google: boolean
}

export const findWalletOffer = async (app: AppServices, rows: Rows): Promise<WalletOffer> => {
  const { apple, google } = await issuersOf(app, rows)
  return { apple: apple.some((issuer) => isCertificateValid(issuer, app.clock.now())), google: google.length > 0 }
}

/** The addresses at which a ticket is put into a wallet; null where that is not offered. */
export interface WalletLinks {
  apple: string | null
  google: string | null
}

export const walletLinksOf = (
  { secrets, settings }: AppServices,
  offer: WalletOffer,
  { accountId, publicId }: { accountId: number; publicId: string },
): WalletLinks => {
  const link = signLink(secrets, PASS_LINK, { accountId, id: publicId, expiresAt: null })
  return {
    apple: offer.apple ? `${settings.baseUrl}/wallet/apple/${link}` : null,
    google: offer.google ? `${settings.baseUrl}/wallet/google/${link}` : null,
  }
}

/** The page with all tickets of an order, for the mail; null where no wallet is offered. */
export const orderWalletUrl = (
  { secrets, settings }: AppServices,
  offer: WalletOffer,
  { accountId, publicId }: { accountId: number; publicId: string },
): string | null =>
  offer.apple || offer.google
    ? `${settings.baseUrl}/wallet/orders/${signLink(secrets, ORDER_LINK, { accountId, id: publicId, expiresAt: null })}`
    : null
