import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { isHealthy, runFoyer } from '../kit/process/foyer-process.ts'
import { type AskOptions, type Reply, openClient } from '../kit/venue/client.ts'
import { neueHalle } from '../kit/venue/neue-halle.ts'
import { SECRET_KEY, WEBHOOK_SECRET } from '../kit/venue/payments.ts'
import { partsOnSale } from '../kit/venue/sales/house.ts'
import type { Installation } from './installation.ts'
import { openPost } from './post.ts'

export const PHONES = 10
const DAYS_BETWEEN = 9
const GOLD = 'Gold circle'
const SECRET_SHOW = 'Secret show'

/** What an event of the season is called where it is asked for. */
export interface SeasonEvent {
  slug: string
  // oxlint-disable-next-line typescript/no-explicit-any
  facts: any
}

const eventsOf = (count: number, buyers: number) =>
  Array.from({ length: count }, (_, n) => {
    const { tickets, ...parts } = partsOnSale(buyers)
    return {
      slug: `night-${n}`,
      title: `Night ${n}`,
      venue: 'halle',
      starts_at: `+P${DAYS_BETWEEN * n + 3}D`,
      doors_open_at: `+P${DAYS_BETWEEN * n + 2}DT23H`,
      ...parts,
      tickets: [...tickets, { key: 'gold', title: GOLD, stock: 5, hidden: true, access_codes: ['AURUM'] }],
      signup_links: [
        { key: 'ask', name: 'Ask us', ticket: 'rest', approval_mode: 'manual', max_companions: 3, capacity: 12 },
        { key: 'open', name: 'Open house', ticket: 'rest', approval_mode: 'automatic', max_companions: 2, capacity: 6 },
      ],
    }
  })

/** A venue with so many events ahead of it, and another on the same installation that nothing may happen to. */
export const openHouse = async (installation: Installation, events: number, buyers: number) => {
  const { environment, origin } = installation
  const load = async (file: object) => {
    const { stdout, stderr } = await runFoyer(['load', '-'], environment, JSON.stringify(file))
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
  const file = neueHalle('season')
  file['events'] = [
    ...eventsOf(events, buyers),
    { slug: 'secret', title: SECRET_SHOW, starts_at: '+P20D', published: false, tickets: [{ key: 'ga', title: 'GA' }] },
  ]
  file['people'].find(({ role }: { role: string }) => role === 'co_organizer').events = ['night-0']
  file['devices'] = Array.from({ length: PHONES }, (_, n) => ({ name: `Phone ${n}` }))
  file['voucher_products'] = [
    { key: 'fifty', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00', validity_months: 6 },
  ]
  const report = await load(file)
  const other = await load(neueHalle('next-door'))
  const officeToken: string = report.api_tokens['office write']
  const faults: string[] = []

  const untilHealthy = async () => {
    while (!(await isHealthy(origin))) await delay(50)
  }

  /** Null where the line broke: whether anything was done, only asking again can tell. */
  const askAt = async (
    at: string,
    method: string,
    path: string,
    { token, host, ...options }: AskOptions & { token?: string; host?: string } = {},
  ): Promise<Reply | null> => {
    const client = openClient(at, { token, ...(host && { host }) })
    for (;;) {
      try {
        const reply = await client.ask(method, path, options)
        if (reply.status < 500) return watch(method, path, reply)
        if (reply.status !== 503 || reply.headers.get('retry-after') === null)
          faults.push(`${method} ${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`)
        await delay(40)
      } catch (error) {
        if (!isCutOff(error)) throw error
        await untilHealthy()
        return null
      }
    }
  }

  /** Whatever must never be said, whoever asks. */
  const watch = (method: string, path: string, reply: Reply): Reply => {
    const isPublic = path.startsWith('/events')
    if (path.startsWith('/scanner') && /@(season|guest)\.example/.test(reply.text))
      faults.push(`${method} ${path} tells the door an address`)
    if (isPublic && (reply.text.includes(GOLD) || reply.text.includes(SECRET_SHOW)))
      faults.push(`${method} ${path} shows what is hidden`)
    if (reply.headers.get('content-type')?.startsWith('text/html') && reply.text.includes('<img src=x onerror'))
      faults.push(`${method} ${path} runs what a guest wrote`)
    return reply
  }

  /** Says it again until it is answered; with a key where saying it twice would do it twice. */
  const insist = async (token: string, method: string, path: string, options: AskOptions = {}): Promise<Reply> => {
    for (;;) {
      const reply = await askAt(origin, method, path, { ...options, token })
      if (reply) return reply
    }
  }

  let keys = 0
  const create = (token: string, path: string, body: object) =>
    insist(token, 'POST', path, { body, headers: { 'idempotency-key': `season-${++keys}` } })

  const { payment_methods: methods } = (await insist(officeToken, 'GET', '/admin/payment_methods')).body
  const configure = async (name: string, changes: object) => {
    const { id } = methods.find((each: { name: string }) => each.name === name)
    const body = { payment_method: { enabled: true, ...changes } }
    const reply = await insist(officeToken, 'PATCH', `/admin/payment_methods/${id}`, { body })
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }
  const { webhook_url: webhookUrl } = await configure('stripe', {
    secret_key: SECRET_KEY,
    webhook_secret: WEBHOOK_SECRET,
  })
  await configure('bank_transfer', { instructions: 'IBAN DE02', expires_after_days: 7 })
  await configure('at_the_door', {})
  const [product] = (await insist(officeToken, 'GET', '/admin/voucher_products')).body.voucher_products
  const shopHost = new URL(report.account.shop_url).host

  return {
    ...installation,
    report,
    accountId: report.account.id as number,
    otherAccountId: other.account.id as number,
    officeToken,
    tokenOf: (person: string): string => report.api_tokens[`${person} write`],
    phoneTokens: Array.from({ length: PHONES }, (_, n): string => report.devices[`Phone ${n}`]),
    events: Array.from({ length: events }, (_, n): SeasonEvent => {
      return { slug: `night-${n}`, facts: report.events[`night-${n}`] }
    }),
    shopHost,
    webhookPath: new URL(webhookUrl).pathname,
    product,
    faults,
    origins: [origin],
    askAt,
    insist,
    create,
    /** As anybody at the shop's address. */
    visit: (method: string, path: string, options: AskOptions = {}) =>
      askAt(origin, method, path, { ...options, host: shopHost }),
    post: openPost(),
    /** Codes of vouchers that are in hands of people; buyers spend them. */
    voucherCodes: [] as string[],
    /** What was acknowledged, to be found again in the end. */
    acknowledged: { issuedCents: 0, corrections: new Set<string>(), taskVersions: new Set<string>() },
    entries: new Map<string, Set<string>>(),
    attempts: new Set<string>(),
  }
}

export type House = Awaited<ReturnType<typeof openHouse>>

const isCutOff = (error: unknown): boolean => {
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (code && ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'UND_ERR_SOCKET'].includes(code)) return true
  return cause instanceof Error && isCutOff(cause)
}
