import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAll } from '../kit/database/consistency.ts'
import { askAndJudge } from './ask.ts'
import { OPERATIONS, type Operation, fittingFor } from './requests.ts'
import { type Stage, openStage } from './stage.ts'
import { anyRequest, requestFor } from './generated-requests.ts'

/** The full run takes 100,000. */
const REQUESTS = Number(process.env['FOYER_FUZZ_REQUESTS'] ?? 2400)
const SEED = Number(process.env['FOYER_SEED'] ?? 1)

const LANES = 4
/** After so many requests a fresh venue is opened: by then much of the old one is cancelled, revoked or full. */
const REQUESTS_PER_STAGE = 2400
const LOOK_EVERY = 150
const TRIES = 60

/** What no request of these can reach, and why. */
const OUT_OF_REACH: Record<string, string> = {
  'POST /sign_in/passkey': 'needs the signature of an authenticator',
  'POST /account/passkeys': 'needs the attestation of an authenticator',
  'GET /mcp': 'is always refused: no stream is offered',
  'DELETE /mcp': 'is always refused: no session is kept',
  'POST /admin/events': 'its lists name each other; test/set-up-by-api.test.ts does it',
  'POST /admin/events/:event_slug/places': 'tickets and pairs must fit together; places.test.ts does it',
  'PATCH /admin/events/:event_slug/places': 'tickets and pairs must fit together; places.test.ts does it',
  'DELETE /admin/events/:event_slug/places': 'needs a list of places that nobody has; places.test.ts does it',
  'DELETE /admin/events/:event_slug/guest_imports/:guest_import_id/application':
    'needs an import that a job has applied; imports.test.ts does it',
  'POST /admin/orders/:public_id/payments': 'needs an order that waits for its money; orders.test.ts does it',
  'POST /admin/orders/:public_id/refunds': 'needs an order that was paid for; orders.test.ts does it',
  'POST /admin/orders/:public_id/payment_refunds/:refund_id/attempt':
    'needs a refund that has failed; failed-refunds.test.ts does it',
  'POST /admin/orders/:public_id/payment_refunds/:refund_id/payout':
    'needs a refund that has failed; failed-refunds.test.ts does it',
  'POST /admin/orders/:public_id/cancellation': 'needs an order that waits for its money; orders.test.ts does it',
  'POST /checkouts': 'its items must fit together; checkouts.test.ts does it',
  'POST /checkouts/:token': 'takes what the page of the checkout sends; test/browser/shop.test.ts does it',
  'POST /checkouts/:token/items': 'takes what the page of the choice sends; test/browser/shop.test.ts does it',
  'POST /checkouts/:token/payment': 'needs a buyer who has answered everything; checkouts.test.ts does it',
  'GET /events/:slug/line': 'needs a rush; rush.test.ts does it',
  'POST /scanner/tickets/:identifier/exit': 'needs an event with re-entry and somebody inside; ended.test.ts does it',
  'POST /admin/redemption_attempts/:id/acknowledgement': 'needs two phones that were blind; night.test.ts does it',
  'DELETE /admin/redemption_attempts/:id/acknowledgement': 'needs two phones that were blind; night.test.ts does it',
  'PATCH /admin/payment_methods/:id': 'each method has fields of its own; payment-methods.test.ts does it',
  'POST /payments/:payment_method/webhooks/:key': 'needs the signature of a provider',
  'GET /payments/test/:signed_link': 'needs a payment under way',
  'POST /payments/test/:signed_link': 'needs a payment under way',
  'GET /payments/returns/:signed_link': 'needs a payment under way',
  'GET /wallet/apple/:signed_link': 'needs a certificate; phones.test.ts does it',
  'GET /wallet/google/:signed_link': 'needs an issuer; google.test.ts does it',
  'GET /wallet/orders/:signed_link': 'needs a link that was mailed; wallet-settings.test.ts does it',
  'DELETE /admin/task_viewers/:page': 'needs a page that shows the board; viewers.test.ts does it',
  'POST /wallet/v1/devices/:device/registrations/:pass_type/:serial': 'needs a pass; phones.test.ts does it',
  'DELETE /wallet/v1/devices/:device/registrations/:pass_type/:serial': 'needs a pass; phones.test.ts does it',
  'GET /wallet/v1/passes/:pass_type/:serial': 'needs a pass; phones.test.ts does it',
}

const reaches = async (stage: Stage, operation: Operation) => {
  const caller = fc.constantFrom(...fittingFor(operation.endpoint))
  const requests = fc.sample(
    caller.chain((name) => requestFor(operation, name)),
    { seed: SEED, numRuns: TRIES },
  )
  for (const [n, request] of requests.entries()) {
    if (n % 10 === 9) await stage.look()
    // Some addresses have something for browsers alone.
    const isBrowser = operation.endpoint.page && n % 2 === 1
    const headers = isBrowser ? { ...request.headers, accept: 'text/html' } : request.headers
    if ((await askAndJudge(stage, { ...request, headers })).status < 400) return true
  }
  return false
}

test('every operation does its work when it is asked as its description says', async () => {
  const stage = await openStage()
  const unreached: string[] = []
  for (const operation of OPERATIONS) {
    if (operation.name in OUT_OF_REACH) continue
    // What was asked before may have closed the very thing; in a fresh venue it is open.
    if (!(await reaches(stage, operation)) && !(await reaches(await openStage(), operation))) {
      unreached.push(operation.name)
    }
  }
  expect(unreached).toEqual([])
  expect(await checkAll(stage.venue.app)).toEqual([])
}, 240_000)

/** One request after the other, drawn by chance, shrunk when something is wrong with the answer. */
const askMuch = (stage: Stage, seed: number, requests: number) => {
  let asked = 0
  const property = fc.asyncProperty(anyRequest, async (request) => {
    if (++asked % LOOK_EVERY === 0) await stage.look()
    await askAndJudge(stage, request)
  })
  return fc.assert(property, { seed, numRuns: requests })
}

test(
  'whatever is asked, of whatever operation, by whomever: no answer is a failure, and each is as described',
  async () => {
    for (let done = 0; done < REQUESTS; done += REQUESTS_PER_STAGE) {
      const stage = await openStage()
      const each = Math.ceil(Math.min(REQUESTS_PER_STAGE, REQUESTS - done) / LANES)
      const lanes = await Promise.allSettled(
        Array.from({ length: LANES }, (_, lane) => askMuch(stage, SEED + done + lane, each)),
      )
      const failed = lanes.find((lane) => lane.status === 'rejected')
      if (failed) throw new Error(`FOYER_SEED=${SEED}, request ${done} or later`, { cause: failed.reason })

      expect(await checkAll(stage.venue.app)).toEqual([])
      expect(stage.venue.logged.filter((line) => line.includes('failed unexpectedly'))).toEqual([])
      await workOff(stage)
    }
  },
  60_000 + REQUESTS * 60,
)

/** Letters and tickets about what was made of nonsense can be written, too. Far ends of wires are left out. */
const workOff = async ({ venue }: Stage) => {
  const { pool } = venue.app.database
  await pool.query(`delete from lane_jobs where lane in ('webhooks', 'push')`)
  await venue.workOffJobs()
  const failed = venue.logged.filter((line) => line.includes('"message":"Job failed'))
  // A job may have queued a push while it was worked off.
  expect(failed.filter((line) => !line.includes('"job":"notifications.push"'))).toEqual([])
}

test('control: an answer that is a failure is told with the request that led to it', async () => {
  const stage = await openStage()
  const { pool } = stage.venue.app.database
  const listing = OPERATIONS.find(({ name }) => name === 'GET /admin/voucher_products')!
  const [request] = fc.sample(requestFor(listing, 'office'), 1)

  await pool.query('alter table voucher_products rename to mislaid_products')
  await expect(askAndJudge(stage, request!)).rejects.toThrow(/fell over\nGET \/admin\/voucher_products/)
  await pool.query('alter table mislaid_products rename to voucher_products')
  expect((await askAndJudge(stage, request!)).status).toBe(200)
})
