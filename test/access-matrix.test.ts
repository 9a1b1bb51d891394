import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Endpoint } from '../src/http/endpoint.ts'
import { ENDPOINTS } from '../src/main.ts'
import type { Client } from './kit/venue/client.ts'
import { signedIn } from './kit/venue/sessions.ts'
import { openVenue, type Venue } from './kit/venue/venue.ts'

const FILE = path.join(import.meta.dirname, '../docs/access-matrix.txt')

/** Every kind of caller, in the order of the columns. */
const callersOf = (venue: Venue, foreign: Venue): Record<string, Pick<Client, 'ask'>> => ({
  none: venue.stranger,
  garbage: venue.client('foyer_api_garbage'),
  revoked: venue.client(venue.report.api_tokens['old']),
  read: venue.reader,
  write: venue.office,
  foreign: foreign.office,
  owner: venue.client(venue.report.api_tokens['olga write']),
  manager: venue.client(venue.report.api_tokens['mara write']),
  assigned: venue.partner,
  'asg. read': venue.client(venue.report.api_tokens['cem read']),
  unassigned: venue.client(venue.report.api_tokens['ulla write']),
  scanner: venue.client(venue.report.api_tokens['sami write']),
  promoter: venue.client(venue.report.api_tokens['pia write']),
  device: venue.door,
  'dev. lost': venue.client(venue.report.devices['Lost phone']),
  ...Object.fromEntries(Object.entries(SIGNED_IN).map(([name, [email]]) => [name, sessionOf(venue, email)])),
})

/** Sessions, and whose personal token they must be as good as. */
const SIGNED_IN: Record<string, [email: string, token: string]> = {
  's. owner': ['olga@neue-halle.example', 'owner'],
  's. manager': ['mara@neue-halle.example', 'manager'],
  's. assigned': ['cem@partner.example', 'assigned'],
  's. unassigned': ['ulla@partner.example', 'unassigned'],
  's. scanner': ['sami@neue-halle.example', 'scanner'],
  's. promoter': ['pia@promo.example', 'promoter'],
}

/** A new session for every request, because one of the addresses ends it. */
const sessionOf = (venue: Venue, email: string): Pick<Client, 'ask'> => ({
  ask: async (method, path, options) => (await signedIn(venue, email)).ask(method, path, options),
})

/** Paths are filled with an event that exists and with things that do not, and no body is sent: nothing changes. */
const addressOf = (endpoint: Endpoint) =>
  endpoint.path.replace(/:event_slug\b/, 'winter-ball').replace(/:[a-z_]+/g, 'nothing')

const unassigned = {
  person: { name: 'Ulla Elsewhere', email: 'ulla@partner.example', role: 'co_organizer', events: ['spring-night'] },
  token: { description: 'ulla write', permission: 'write', person: 'ulla@partner.example' },
}

test('every endpoint answers every kind of caller as docs/access-matrix.txt says', async () => {
  const venue = await openVenue((file) => {
    file['people'].push(unassigned.person)
    file['api_tokens'].push(unassigned.token)
  })
  const foreign = await openVenue((file) => {
    for (const event of file['events']) event.slug = `their-${event.slug}`
    file['people'].find((each: { role: string }) => each.role === 'co_organizer').events = ['their-winter-ball']
  })
  const callers = callersOf(venue, foreign)
  const shopHost = new URL(venue.report.account.shop_url).host

  const rows: string[][] = []
  for (const endpoint of ENDPOINTS) {
    const headers = endpoint.access.site === 'shop' ? { host: shopHost } : undefined
    const asked = Object.entries(callers).map(async ([name, client]) => {
      const { status } = await client.ask(endpoint.method, addressOf(endpoint), { ...(headers && { headers }) })
      return [name, status] as const
    })
    const statuses = Object.fromEntries(await Promise.all(asked))

    requireNoLeak(endpoint, statuses)
    rows.push([endpoint.method, endpoint.path, endpoint.access.name, ...Object.values(statuses).map(String)])
  }

  const matrix = draw(['method', 'path', 'access', ...Object.keys(callers)], rows)
  if (process.env['FOYER_WRITE_DOCS']) await writeFile(FILE, matrix)
  expect(matrix, 'npm run docs:access writes it anew').toBe(await readFile(FILE, 'utf8'))
}, 240_000)

/** What holds for every endpoint, whatever the file says. */
const requireNoLeak = ({ method, path, access }: Endpoint, statuses: Record<string, number>) => {
  const what = `${method} ${path} ${JSON.stringify(statuses)}`
  for (const status of Object.values(statuses)) expect(status, what).toBeLessThan(500)
  if (!access.needsCredential) return

  const refused = ['none', 'garbage', 'revoked', 'dev. lost', 'promoter']
  if (!path.startsWith('/scanner')) refused.push('device', 'scanner')
  if (access.name.endsWith('write')) refused.push('read', 'asg. read')
  for (const name of refused) expect(statuses[name], `${name}: ${what}`).toBe(401)
  for (const [name, [, token]] of Object.entries(SIGNED_IN)) {
    expect(statuses[name], `${name}: ${what}`).toBe(statuses[token])
  }

  if (path.includes(':event_slug')) {
    expect(statuses['foreign'], what).toBe(404)
    expect(statuses['unassigned'], what).toBe(404)
  }
}

const draw = (head: string[], rows: string[][]) => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return `${[line(head), ...rows.map(line)].join('\n')}\n`
}
