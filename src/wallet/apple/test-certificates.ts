import { type KeyObject, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import {
  derBitString,
  derContextTag,
  derInteger,
  derTrue,
  derNull,
  derOctetString,
  derObjectId,
  derSequence,
  derSetOf,
  derUtcTime,
  derUtf8,
} from './der.ts'

const OIDS = {
  sha256WithRsa: derObjectId('1.2.840.113549.1.1.11'),
  basicConstraints: derObjectId('2.5.29.19'),
  keyUsage: derObjectId('2.5.29.15'),
}

const NAME_PARTS = {
  UID: derObjectId('0.9.2342.19200300.100.1.1'),
  CN: derObjectId('2.5.4.3'),
  OU: derObjectId('2.5.4.11'),
  O: derObjectId('2.5.4.10'),
}

type Name = Partial<Record<keyof typeof NAME_PARTS, string>>

const nameOf = (name: Name) =>
  derSequence(
    ...Object.entries(name).map(([part, value]) =>
      derSetOf(derSequence(NAME_PARTS[part as keyof typeof NAME_PARTS], derUtf8(value))),
    ),
  )

const SIGNATURE = derSequence(OIDS.sha256WithRsa, derNull())

interface Wish {
  subject: Name
  issuer: Name
  /** The issuer's. */
  signingKey: KeyObject
  key: KeyObject
  isAuthority: boolean
  validFrom: Date
  validTo: Date
}

const makeCertificate = ({ subject, issuer, signingKey, key, isAuthority, validFrom, validTo }: Wish): string => {
  const constraints = isAuthority ? derSequence(derTrue()) : derSequence()
  // To sign certificates, or anything else.
  const usage = isAuthority ? derBitString(Buffer.from([0x06]), 1) : derBitString(Buffer.from([0x80]), 7)
  const signed = derSequence(
    derContextTag(0, derInteger(Buffer.from([2]))),
    derInteger(randomBytes(16)),
    SIGNATURE,
    nameOf(issuer),
    derSequence(derUtcTime(validFrom), derUtcTime(validTo)),
    nameOf(subject),
    createPublicKey(key).export({ format: 'der', type: 'spki' }),
    derContextTag(
      3,
      derSequence(
        derSequence(OIDS.basicConstraints, derTrue(), derOctetString(constraints)),
        derSequence(OIDS.keyUsage, derTrue(), derOctetString(usage)),
      ),
    ),
  )
  const der = derSequence(signed, SIGNATURE, derBitString(sign('sha256', signed, signingKey)))
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

export interface TestCertificates {
  root: string
  intermediate: string
  certificate: string
  key: string
}

const ROOT: Name = { CN: 'Foyer Test Root', O: 'Foyer' }
const INTERMEDIATE: Name = { CN: 'Foyer Test Intermediate', O: 'Foyer' }

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** A chain like that of Apple, which no phone trusts: everything but the phone can be tried with it. */
export const makeTestCertificates = ({
  passTypeId = 'pass.example.foyer',
  teamId = 'FOYERTEST1',
  now = new Date(),
  days = 365,
}: {
  passTypeId?: string
  teamId?: string
  now?: Date
  days?: number
} = {}): TestCertificates => {
  const inDays = (count: number) => new Date(now.getTime() + count * 24 * 60 * 60 * 1000)
  const [rootKey, intermediateKey, key] = [newKey(), newKey(), newKey()]
  const validity = { validFrom: inDays(-1), validTo: inDays(Math.max(days, 3650)) }
  return {
    root: makeCertificate({
      subject: ROOT,
      issuer: ROOT,
      signingKey: rootKey,
      key: rootKey,
      isAuthority: true,
      ...validity,
    }),
    intermediate: makeCertificate({
      subject: INTERMEDIATE,
      issuer: ROOT,
      signingKey: rootKey,
      key: intermediateKey,
      isAuthority: true,
      ...validity,
    }),
    certificate: makeCertificate({
      subject: { UID: passTypeId, CN: `Pass Type ID: ${passTypeId}`, OU: teamId, O: 'Foyer' },
      issuer: INTERMEDIATE,
      signingKey: intermediateKey,
      key,
      isAuthority: false,
      validFrom: inDays(Math.min(-1, days - 365)),
      validTo: inDays(days),
    }),
    key: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}
