import { z } from 'zod'
import type { AppServices } from '../access/app.ts'
import { envelope } from '../http/body.ts'
import { optionalText } from '../http/fields.ts'
import { Timestamp, named } from '../http/wire.ts'
import { type Issuers, isCertificateValid, issuersWith } from './configuration/issuers.ts'
import type { AccountWallet } from './configuration/records.ts'
import { warningDaysFor } from './rules.ts'

const SIGNERS = ['account', 'installation'] as const

const Apple = z.object({
  /** Whose certificate signs. */
  signed_by: z.enum(SIGNERS),
  pass_type_id: z.string(),
  team_id: z.string(),
  ends_at: Timestamp,
  warning_days: z.int().nullable(),
})

export const WalletAnswer = named(
  'Wallet',
  z.object({
    color: z.string().nullable(),
    has_logo: z.boolean(),
    apple: Apple.nullable(),
    google: z.object({ signed_by: z.enum(SIGNERS), issuer_id: z.string() }).nullable(),
  }),
  {
    color: '#1f3a5f',
    has_logo: false,
    apple: {
      signed_by: 'installation',
      pass_type_id: 'pass.example.foyer',
      team_id: 'A1B2C3D4E5',
      ends_at: '2027-11-30T12:00:00.000Z',
      warning_days: null,
    },
    google: { signed_by: 'account', issuer_id: '3388000000012345678' },
  },
)

const PEM_MAX = 20_000

export const WalletChanges = envelope(
  'wallet',
  z.object({
    color: optionalText().optional(),
    logo: optionalText(500).optional(),
    apple_certificate: optionalText(PEM_MAX).optional(),
    apple_key: optionalText(PEM_MAX).optional(),
    apple_intermediate: optionalText(PEM_MAX).optional(),
    google_issuer_id: optionalText(40).optional(),
    google_key: optionalText(PEM_MAX).optional(),
  }),
)

export const showWallet = (
  app: AppServices,
  accountId: number,
  wallet: AccountWallet,
): z.output<typeof WalletAnswer> => {
  const issuers = issuersWith(app, accountId, wallet)
  return {
    color: wallet.color,
    has_logo: wallet.logo !== null,
    apple: showApple(app, issuers, wallet),
    google: issuers.google[0]
      ? {
          signed_by: wallet.googleIssuerId === null ? 'installation' : 'account',
          issuer_id: issuers.google[0].issuerId,
        }
      : null,
  }
}

/** The one that signs now, or the first that would if it had not ended. */
const showApple = ({ clock }: AppServices, { apple }: Issuers, wallet: AccountWallet) => {
  const now = clock.now()
  const issuer = apple.find((each) => isCertificateValid(each, now)) ?? apple[0]
  if (!issuer) return null
  const isOwn = wallet.appleCertificate !== null && issuer === apple[0]
  return {
    signed_by: isOwn ? ('account' as const) : ('installation' as const),
    pass_type_id: issuer.passTypeId,
    team_id: issuer.teamId,
    ends_at: issuer.endsAt.toISOString(),
    warning_days: warningDaysFor((wallet.appleCertificate === null ? issuer : apple[0]!).endsAt, now),
  }
}
