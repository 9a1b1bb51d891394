import { expect } from 'vitest'
import { openRowsForJob } from '../../../src/access/job-scope.ts'
import { compareQuotas } from '../../../src/signup/requests/consistency/records.ts'
import { askAtHost } from '../network/ask-at-host.ts'
import { type Part, bodyOf, leaves } from '../network/read-eml.ts'
import { afterEveryTest } from '../tidying.ts'
import type { VenueFile } from './neue-halle.ts'
import { mailsTo } from './outbox.ts'
import { type WinterBall, openWinterBall } from './winter-ball.ts'

// A test names the fields it is about.
// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

export interface PageReply {
  status: number
  headers: Headers
  text: string
  body: Shown
}

/** The Winter Ball with its signup links, seen from the office and from a guest's phone. */
export interface Signups extends WinterBall {
  forms: string
  requests: string
  /** A link that must come to be. */
  link(settings?: object): Promise<Shown>
  /** As a guest's browser, or as a program when it sends JSON. */
  visit(url: string): Promise<PageReply>
  submit(url: string, fields?: Record<string, unknown>): Promise<PageReply>
  sendForm(url: string, pairs: [string, string][]): Promise<PageReply>
  sendJson(url: string, body: unknown): Promise<PageReply>
  waiting(query?: string): Promise<Shown>
  requestOf(email: string): Promise<Shown>
  approve(request: { public_id: string }): Promise<Shown>
  reject(request: { public_id: string }): Promise<Shown>
  /** What has been sent to an address, oldest first; works off the jobs before it looks. */
  mailsTo(address: string): Promise<Part[]>
  ticketMailsTo(address: string): Promise<Part[]>
  /** The address of a guest's own page, out of the mail. */
  ownPage(address: string): Promise<string>
  inbox(token?: string): Promise<Shown[]>
}

const opened: Signups[] = []

afterEveryTest(async () => {
  for (const { app, accountId } of opened.splice(0)) {
    expect(await compareQuotas(openRowsForJob(app, accountId))).toEqual([])
  }
})

export const openSignups = async (change?: (event: VenueFile, file: VenueFile) => void): Promise<Signups> => {
  const ball = await openWinterBall(change)
  const host = new URL(ball.report.account.shop_url).host

  const ask = async (
    url: string,
    method: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<PageReply> => {
    const { pathname, search } = new URL(url, ball.report.account.shop_url)
    const reply = await askAtHost(ball.origin, pathname + search, {
      method,
      headers: { host, ...headers },
      ...(body !== undefined && { body }),
    })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.startsWith('application/json')
    return { status: reply.status, headers: reply.headers, text, body: isJson && text ? JSON.parse(text) : null }
  }

  const signups: Signups = {
    ...ball,
    forms: `${ball.path}/guest_list_forms`,
    requests: `${ball.path}/guest_requests`,
    link: async (settings = {}) => {
      const reply = await ball.office.post(signups.forms, {
        guest_list_form: { ticket_id: ball.tickets['ga'], ...settings },
      })
      expect(reply.status, reply.text).toBe(201)
      return reply.body
    },
    visit: (url) => ask(url, 'GET', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }),
    submit: (url, fields = {}) =>
      signups.sendJson(url, { guest_request: { name: 'Ada Lovelace', email: 'ada@engine.example', ...fields } }),
    sendForm: (url, pairs) =>
      ask(
        url,
        'POST',
        { accept: 'text/html,*/*;q=0.8', 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams(pairs).toString(),
      ),
    sendJson: (url, body) =>
      ask(url, 'POST', { accept: 'application/json', 'content-type': 'application/json' }, JSON.stringify(body)),
    waiting: async (query = '') => {
      const reply = await ball.office.get(`${signups.requests}${query}`)
      expect(reply.status, reply.text).toBe(200)
      return reply.body
    },
    requestOf: async (email) => {
      for (const status of ['pending', 'approved', 'rejected']) {
        const { requests } = await signups.waiting(`?status=${status}&per_page=250`)
        const found = requests.find((each: { email: string }) => each.email === email)
        if (found) return found
      }
      return null
    },
    approve: (request) => ball.office.post(`${signups.requests}/${request.public_id}/approval`),
    reject: (request) => ball.office.post(`${signups.requests}/${request.public_id}/rejection`),
    mailsTo: async (address) => {
      await ball.workOffJobs()
      return mailsTo(ball, address)
    },
    ticketMailsTo: async (address) => (await signups.mailsTo(address)).filter(holdsTickets),
    ownPage: async (address) => {
      const texts = (await signups.mailsTo(address)).map((mail) => bodyOf(mail, 'text/plain') ?? '')
      const url = texts.map((text) => /http\S+\/guest_signups\/\w+/.exec(text)?.[0]).find(Boolean)
      expect(url, 'no mail leads to an own page').toBeDefined()
      return url!
    },
    inbox: async (token = 'olga write') => {
      const reply = await ball.client(ball.report.api_tokens[token]).get('/admin/notifications')
      return reply.status === 200 ? reply.body.notifications : []
    },
  }
  opened.push(signups)
  return signups
}

export const holdsTickets = (mail: Part) => leaves(mail).some(({ type }) => type === 'application/pdf')

/** An address that no other test writes to: test files share an outbox. */
let guests = 0
export const newGuest = () => `guest${++guests}@signup.example`
