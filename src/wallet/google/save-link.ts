import { sign } from 'node:crypto'
import type { GoogleIssuer } from '../configuration/issuers.ts'

/** Where Google takes a pass from a link. */
const SAVE_BASE = 'https://pay.google.com/gp/v/save/'

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Claims, signed RS256 with the key of the service account. */
export const signJwt = ({ key, keyId }: Pick<GoogleIssuer, 'key' | 'keyId'>, claims: object): string => {
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT', ...(keyId && { kid: keyId }) })}.${encoded(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

/** What Google is to take: whole, or only its ID where Google has it already. */
export interface SavedPasses {
  eventTicketClasses?: object[]
  eventTicketObjects: object[]
}

interface SaveLinkInput {
  issuer: GoogleIssuer
  payload: SavedPasses
  now: Date
}

/** The token of a link that puts a pass into Google Wallet. */
export const signSaveToken = ({ issuer, payload, now }: SaveLinkInput): string =>
  signJwt(issuer, {
    iss: issuer.clientEmail,
    aud: 'google',
    typ: 'savetowallet',
    iat: Math.floor(now.getTime() / 1000),
    payload,
  })

export const googleSaveLink = (token: string): string => `${SAVE_BASE}${token}`
