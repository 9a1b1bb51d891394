import { type KeyObject, type X509Certificate, createHash, sign } from 'node:crypto'
import {
  derContextTag,
  derInteger,
  derNull,
  derOctetString,
  derObjectId,
  readDerValues,
  derSequence,
  derSetOf,
  derUtcTime,
} from './der.ts'

const OIDS = {
  data: derObjectId('1.2.840.113549.1.7.1'),
  signedData: derObjectId('1.2.840.113549.1.7.2'),
  contentType: derObjectId('1.2.840.113549.1.9.3'),
  messageDigest: derObjectId('1.2.840.113549.1.9.4'),
  signingTime: derObjectId('1.2.840.113549.1.9.5'),
  sha256: derObjectId('2.16.840.1.101.3.4.2.1'),
  rsa: derObjectId('1.2.840.113549.1.1.1'),
}

export interface Signer {
  certificate: X509Certificate
  /** The one that stands between it and the root. */
  intermediate: X509Certificate
  key: KeyObject
}

const SHA256 = derSequence(OIDS.sha256, derNull())
const RSA = derSequence(OIDS.rsa, derNull())
const VERSION_1 = derInteger(Buffer.from([1]))

/** A signature beside what it signs, as PKCS #7 in DER: with both certificates and the time it was made. */
export const signDetached = (content: Buffer, { certificate, intermediate, key }: Signer, at: Date): Buffer => {
  const digest = createHash('sha256').update(content).digest()
  const attributes = [
    derSequence(OIDS.contentType, derSetOf(OIDS.data)),
    derSequence(OIDS.signingTime, derSetOf(derUtcTime(at))),
    derSequence(OIDS.messageDigest, derSetOf(derOctetString(digest))),
  ]
  // What is signed is the set of them; what is sent has another tag in its place.
  const signedAttributes = derSetOf(...attributes)
  const signature = sign('sha256', signedAttributes, key)
  const sentAttributes = Buffer.concat([Buffer.from([0xa0]), signedAttributes.subarray(1)])
  const signerInfo = derSequence(
    VERSION_1,
    issuerAndSerialOf(certificate),
    SHA256,
    sentAttributes,
    RSA,
    derOctetString(signature),
  )
  const signedData = derSequence(
    VERSION_1,
    derSetOf(SHA256),
    derSequence(OIDS.data),
    derContextTag(0, certificate.raw, intermediate.raw),
    derSetOf(signerInfo),
  )
  return derSequence(OIDS.signedData, derContextTag(0, signedData))
}

const issuers = new WeakMap<X509Certificate, Buffer>()

/** By which a certificate is named: who issued it, and the number they gave it. */
const issuerAndSerialOf = (certificate: X509Certificate): Buffer => {
  let named = issuers.get(certificate)
  if (!named) {
    const [whole] = readDerValues(certificate.raw)
    const [signed] = readDerValues(whole!.content)
    const parts = readDerValues(signed!.content)
    // The version comes first where there is one, in a tag of its own.
    const [serial, , issuer] = parts[0]!.tag === 0xa0 ? parts.slice(1) : parts
    named = derSequence(issuer!.whole, serial!.whole)
    issuers.set(certificate, named)
  }
  return named
}
