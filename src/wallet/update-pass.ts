import type { AccountScope } from '../access/scopes.ts'
import { pushToPhone } from './apple/push.ts'
import { type GoogleIssuer, type Issuers, issuersOf } from './configuration/issuers.ts'
import { RemoteServiceBusy } from './remote-service-errors.ts'
import { updateAtGoogle } from './google/google-api.ts'
import { digestOfClass, googleClassOf, googleObjectOf } from './google/pass-objects.ts'
import { type CurrentPass, refreshPass } from './issue-pass.ts'
import {
  type Registration,
  claimGoogleClass,
  deleteRegistration,
  findPhonesToNotify,
  recordGoogleUpdated,
  recordPhoneNotified,
  releaseGoogleClass,
} from './records.ts'

/**
 * Tells every phone and Google what does not know yet how a pass looks now. Whoever was told is written down at once, so
 * that a further try tells only the others. Throws the first trouble in the end; TryLater, where there was nothing worse.
 */
export const updatePass = (scope: AccountScope, admissionId: number): Promise<void> =>
  inTurn(`${scope.account.id} ${admissionId}`, () => updateNow(scope, admissionId))

const underWay = new Map<string, Promise<void>>()

/** Several changes of one pass are told one after the other, so that the first to be told tells all of them. */
const inTurn = async (pass: string, work: () => Promise<void>): Promise<void> => {
  const before = underWay.get(pass)
  const turn = before ? before.then(work, work) : work()
  underWay.set(pass, turn)
  try {
    await turn
  } finally {
    if (underWay.get(pass) === turn) underWay.delete(pass)
  }
}

const updateNow = async (scope: AccountScope, admissionId: number): Promise<void> => {
  const pass = await scope.transaction((tx) => refreshPass(tx, admissionId))
  if (!pass) return
  // After the change has been written down: whoever registers later sees it and has themselves told.
  const phones = await findPhonesToNotify(scope.rows, admissionId)
  if (phones.length === 0 && !pass.googleIssuedAt) return
  const issuers = await issuersOf(scope.app, scope.rows)
  const outcomes = await Promise.allSettled([
    ...phones.map((phone) => tellPhone(scope, issuers, phone, pass)),
    ...(pass.googleIssuedAt ? issuers.google.slice(0, 1).map((issuer) => tellGoogle(scope, issuer, pass)) : []),
  ])
  const troubles = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  if (troubles.length > 0) throw troubles.find((trouble) => !(trouble instanceof RemoteServiceBusy)) ?? troubles[0]
}

/** A phone whose pass nobody can sign any more has nothing to come for. */
const tellPhone = async (scope: AccountScope, { apple }: Issuers, phone: Registration, { modifiedAt }: CurrentPass) => {
  const issuer = apple.find(({ passTypeId }) => passTypeId === phone.passTypeId)
  if (!issuer) return
  const outcome = await pushToPhone(scope.app, issuer, phone.pushToken)
  if (outcome === 'told') await recordPhoneNotified(scope.rows, phone, modifiedAt)
  else await deleteRegistration(scope.rows, phone, phone.pushToken)
}

const tellGoogle = async (scope: AccountScope, issuer: GoogleIssuer, pass: CurrentPass): Promise<void> => {
  const { app, rows } = scope
  const { facts, googleToldAt, modifiedAt } = pass
  await tellGoogleOfEvent(scope, issuer, pass)
  if (googleToldAt && googleToldAt >= modifiedAt) return
  await updateAtGoogle(app, issuer, 'object', googleObjectOf(app, issuer.issuerId, facts, app.clock.now()))
  await recordGoogleUpdated(rows, facts.admissionId, modifiedAt)
}

/** A thousand passes may find out at once that an event has changed; one of them says so. */
const tellGoogleOfEvent = async ({ app, rows }: AccountScope, issuer: GoogleIssuer, { facts }: CurrentPass) => {
  const googleClass = googleClassOf(app, issuer.issuerId, facts)
  if (!(await claimGoogleClass(rows, facts.eventId, digestOfClass(googleClass)))) return
  try {
    await updateAtGoogle(app, issuer, 'class', googleClass)
  } catch (error) {
    await releaseGoogleClass(rows, facts.eventId)
    throw error
  }
}
