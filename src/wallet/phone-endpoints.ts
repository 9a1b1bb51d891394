import { z } from 'zod'
import { consoleVisitor } from '../access/access.ts'
import { walletDevice, walletPassHolder, walletSerialOf } from '../access/wallet-passes.ts'
import type { AccountScope } from '../access/scopes.ts'
import { noContent, ok } from '../http/answers.ts'
import { type BodyReader, isRecord } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { INVALID_MESSAGE } from '../kernel/messages.ts'
import { NotFound, refuseUnless } from '../kernel/refusals.ts'
import { answerWithUpdatedPass } from './give-pass.ts'
import { type ChangedPass, findChangedPasses } from './records.ts'
import { registerPhone, unregisterPhone } from './register-phone.ts'

/*
 * What Apple describes as the web service of a pass: phones ask here by themselves, so it is told to nobody else. Names of
 * fields and statuses are Apple's.
 */

/** A phone registers a pass once, and again when its push token changes. */
const REGISTRATIONS_PER_MINUTE = 30
/** A phone asks once for each push. */
const QUESTIONS_PER_MINUTE = 120
const LOGS_PER_MINUTE = 30

const LABEL = /^[\w.:-]{1,200}$/
const PUSH_TOKEN = /^[0-9a-f]{8,200}$/i

const requireLabels = (...labels: string[]) => {
  if (!labels.every((label) => LABEL.test(label))) throw new NotFound()
}

const anything: BodyReader<unknown> = { schema: z.unknown(), read: (body) => body }

const spend = ({ app }: AccountScope, what: string, perMinute: number, key: string) =>
  app.budgets.of(what, perMinute).spend(key)

const registration = endpoint({
  method: 'POST',
  path: '/wallet/v1/devices/:device/registrations/:pass_type/:serial',
  says: 'A phone wants to be told when a pass changes.',
  access: walletPassHolder(),
  body: anything,
  answers: { 200: z.object({}), 201: z.object({}) },
  undocumented: true,
  handle: async ({ account, pass, params, body }) => {
    requireLabels(params.device, params.pass_type)
    spend(account, 'registrations of a wallet pass', REGISTRATIONS_PER_MINUTE, pass.serial)
    const token = isRecord(body) ? body['pushToken'] : undefined
    refuseUnless(typeof token === 'string' && PUSH_TOKEN.test(token), { pushToken: [INVALID_MESSAGE] })
    const phone = { publicId: pass.publicId, passTypeId: params.pass_type, device: params.device }
    const isNew = await registerPhone(account, phone, token.toLowerCase())
    return isNew ? { status: 201 as const, body: {} } : ok({})
  },
})

const unregistration = endpoint({
  method: 'DELETE',
  path: '/wallet/v1/devices/:device/registrations/:pass_type/:serial',
  says: 'A phone no longer wants to be told.',
  access: walletPassHolder(),
  answers: { 200: z.object({}) },
  undocumented: true,
  handle: async ({ account, pass, params }) => {
    requireLabels(params.device, params.pass_type)
    await unregisterPhone(account, { publicId: pass.publicId, passTypeId: params.pass_type, device: params.device })
    return ok({})
  },
})

const ChangedSerials = z.object({ serialNumbers: z.array(z.string()), lastUpdated: z.string() })

/** A moment as phones are told it and bring it back; whatever else they bring is no moment, and they get everything. */
const readTag = (tag: string | undefined): Date | null =>
  tag !== undefined && /^\d{1,12}$/.test(tag) ? new Date(Number(tag) * 1000) : null

const changedSerials = endpoint({
  method: 'GET',
  path: '/wallet/v1/devices/:device/registrations/:pass_type',
  says: 'The passes of a phone that have changed since it last asked.',
  access: walletDevice(),
  query: z.object({ passesUpdatedSince: z.string().optional().catch(undefined) }),
  answers: { 200: ChangedSerials, 204: null },
  undocumented: true,
  handle: async ({ accounts, deviceDigest, params, query }) => {
    const since = readTag(query.passesUpdatedSince)
    const changed: (ChangedPass & { serial: string })[] = []
    for (const account of accounts) {
      spend(account, 'questions of a phone with passes', QUESTIONS_PER_MINUTE, deviceDigest.toString('base64'))
      const passes = await findChangedPasses(account.rows, { deviceDigest, passTypeId: params.pass_type, since })
      changed.push(...passes.map((pass) => ({ ...pass, serial: walletSerialOf(account.account.id, pass.publicId) })))
    }
    if (changed.length === 0) return noContent()
    const last = Math.max(...changed.map(({ modifiedAt }) => modifiedAt.getTime()), since?.getTime() ?? 0)
    return ok({ serialNumbers: changed.map(({ serial }) => serial), lastUpdated: String(Math.floor(last / 1000)) })
  },
})

const updatedPass = endpoint({
  method: 'GET',
  path: '/wallet/v1/passes/:pass_type/:serial',
  says: 'A pass as it is now, for a phone that has it.',
  access: walletPassHolder(),
  answers: {},
  undocumented: true,
  handle: async ({ account, pass, params, headers }) => {
    spend(account, 'downloads of a wallet pass', QUESTIONS_PER_MINUTE, pass.serial)
    return answerWithUpdatedPass(account, pass.publicId, params.pass_type, headers)
  },
})

const LOGS_MAX = 20
const LOG_LENGTH_MAX = 500

const phoneLog = endpoint({
  method: 'POST',
  path: '/wallet/v1/log',
  says: 'What a phone has to complain about.',
  access: consoleVisitor(),
  body: anything,
  bodyLimit: 64 * 1024,
  answers: { 200: z.object({}) },
  undocumented: true,
  handle: async ({ visitor: { app }, ip, body }) => {
    app.budgets.of('logs of phones from an address', LOGS_PER_MINUTE).spend(ip)
    const logs: unknown[] = isRecord(body) && Array.isArray(body['logs']) ? body['logs'] : []
    for (const line of logs.slice(0, LOGS_MAX)) {
      if (typeof line === 'string')
        app.log.info({ phone: line.slice(0, LOG_LENGTH_MAX) }, 'A phone complains of a pass')
    }
    return ok({})
  },
})

export const phoneEndpoints: Endpoint[] = [registration, unregistration, changedSerials, updatedPass, phoneLog]
