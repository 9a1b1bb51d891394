import type { AccountScope } from '../access/scopes.ts'
import { RawAnswer } from '../http/answers.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { matchesEtag } from '../http/negotiation.ts'
import { describeError } from '../kernel/log.ts'
import { NotFound, requireFound } from '../kernel/refusals.ts'
import { PASS_TYPE, buildPass } from './apple/build-pass.ts'
import { isCertificateValid, issuersWith } from './configuration/issuers.ts'
import { findAccountWallet } from './configuration/records.ts'
import { findPassFacts } from './facts/records.ts'
import { insertAtGoogle } from './google/google-api.ts'
import { digestOfClass, googleClassOf, googleObjectOf } from './google/pass-objects.ts'
import { type SavedPasses, googleSaveLink, signSaveToken } from './google/save-link.ts'
import { type CurrentPass, issuePass, refreshPass } from './issue-pass.ts'
import { insertGoogleClass, recordGoogleIssue } from './records.ts'
import { digestOfPassFacts } from './rules.ts'

/** A pass for Apple Wallet, by the link that was mailed or shown. */
export const answerWithApplePass = async (scope: AccountScope, publicId: string): Promise<RawAnswer> => {
  const { app } = scope
  const wallet = await findAccountWallet(scope.rows)
  const issuer = issuersWith(app, scope.account.id, wallet).apple.find((each) =>
    isCertificateValid(each, app.clock.now()),
  )
  if (!issuer) throw new NotFound()
  const pass = await issuePass(scope, publicId)
  return sendPass(pass, {}, () => buildPass(app, pass.facts, issuer, wallet.logo))
}

/** The same for a phone that has it: of the type it was signed for, and only where it is not what the phone has already. */
export const answerWithUpdatedPass = async (
  scope: AccountScope,
  publicId: string,
  passTypeId: string,
  headers: RequestHeaders,
): Promise<RawAnswer> => {
  const { app } = scope
  const wallet = await findAccountWallet(scope.rows)
  const issuer = requireFound(
    issuersWith(app, scope.account.id, wallet).apple.find(
      (each) => each.passTypeId === passTypeId && isCertificateValid(each, app.clock.now()),
    ),
  )
  const pass = await scope.transaction(async (tx) => {
    const { admissionId } = requireFound(await findPassFacts(tx, { publicId }))
    return requireFound(await refreshPass(tx, admissionId))
  })
  return sendPass(pass, headers, () => buildPass(app, pass.facts, issuer, wallet.logo))
}

const sendPass = async (
  { facts, modifiedAt }: CurrentPass,
  headers: RequestHeaders,
  build: () => Promise<Buffer>,
): Promise<RawAnswer> => {
  const etag = `"${digestOfPassFacts(facts).toString('base64url').slice(0, 27)}"`
  const shared = {
    'content-type': PASS_TYPE,
    'last-modified': modifiedAt.toUTCString(),
    etag,
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  }
  const isKnown =
    headers['if-none-match'] === undefined
      ? isUnchangedSince(modifiedAt, headers['if-modified-since'])
      : matchesEtag(etag, headers['if-none-match'])
  if (isKnown) return new RawAnswer(304, shared, '')
  const disposition = `attachment; filename="ticket-${facts.checkInCode}.pkpass"`
  return new RawAnswer(200, { ...shared, 'content-disposition': disposition }, await build())
}

const isUnchangedSince = (modifiedAt: Date, condition: string | string[] | undefined): boolean => {
  const known = typeof condition === 'string' ? Date.parse(condition) : Number.NaN
  return known >= modifiedAt.getTime()
}

/**
 * The address at Google that takes a pass. Google is told of the pass before, because a whole one is longer than what is
 * safe in a link. Where Google does not answer, the link carries it all the same: most browsers take that too.
 */
export const redirectToGoogleWallet = async (scope: AccountScope, publicId: string): Promise<string> => {
  const { app } = scope
  const now = app.clock.now()
  const issuer = requireFound(issuersWith(app, scope.account.id, await findAccountWallet(scope.rows)).google[0])
  const { facts } = await issuePass(scope, publicId, async (tx, pass) => {
    await recordGoogleIssue(tx, pass.facts.admissionId, pass.modifiedAt)
    await insertGoogleClass(tx, pass.facts.eventId, digestOfClass(googleClassOf(app, issuer.issuerId, pass.facts)))
  })
  const googleClass = googleClassOf(app, issuer.issuerId, facts)
  const { barcode, ...rest } = googleObjectOf(app, issuer.issuerId, facts, now)
  const object = { ...rest, ...(barcode !== null && { barcode }) }
  const linkWith = (payload: SavedPasses) => googleSaveLink(signSaveToken({ issuer, payload, now }))
  try {
    await insertAtGoogle(app, issuer, 'class', googleClass)
    await insertAtGoogle(app, issuer, 'object', object)
    return linkWith({ eventTicketObjects: [{ id: object.id, classId: object.classId }] })
  } catch (error) {
    app.log.warn(describeError(error), 'Google could not be told of a pass before its link was given out')
    return linkWith({ eventTicketClasses: [googleClass], eventTicketObjects: [object] })
  }
}
