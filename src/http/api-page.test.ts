import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { organizerEvent, shop } from '../access/access.ts'
import { noContent, ok } from './answers.ts'
import { apiPage } from './api-page.ts'
import { PALETTES } from './api-page-style.ts'
import { envelope } from './body.ts'
import { endpoint } from './endpoint.ts'
import { choice, integer, optionalText, queryPage, requiredText } from './fields.ts'
import { describeApi } from './openapi.ts'
import { Money, Timestamp, named } from './wire.ts'

const Party = named(
  'GuestParty',
  z.object({
    public_id: z.string(),
    price: Money.nullable(),
    cancelled_at: Timestamp.nullable(),
    guests: z.array(z.object({ name: z.string(), tags: z.array(z.string().nullable()) })),
    answers: z.record(z.string(), z.object({ text: z.string().optional() })),
    source: z.union([
      z.object({ kind: z.literal('link'), url: z.string() }),
      z.object({ kind: z.literal('office'), by: z.string() }),
    ]),
  }),
  {
    public_id: 'gp_1',
    price: null,
    cancelled_at: null,
    guests: [{ name: '王小明', tags: [null] }],
    answers: {},
    source: { kind: 'office', by: 'Zoë' },
  },
)

const partyCreation = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_parties',
  says: 'Puts a <party> on the guest list.',
  access: organizerEvent('write'),
  query: z.object({ page: queryPage() }),
  body: envelope(
    'guest_party',
    z.object({
      name: requiredText(80),
      size: integer({ least: 1, most: 20 }),
      kind: choice(['vip', 'press']),
      note: optionalText().optional(),
    }),
  ),
  example: { guest_party: { name: `Zoë's "$HOME" \`party\` \\ & <friends>`, size: 2, kind: 'vip' } },
  answers: { 200: Party },
  creates: true,
  handle: () => Promise.reject(new Error('only described')),
})

const partyRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/events/:event_slug/guest_parties/:public_id',
  says: 'Removes a party.',
  access: organizerEvent('write'),
  answers: { 204: null },
  handle: () => Promise.resolve(noContent()),
})

const programme = endpoint({
  method: 'GET',
  path: '/programme',
  says: 'What is on.',
  access: shop(),
  answers: { 200: z.object({ parties: z.array(Party), from: z.string() }) },
  handle: () => Promise.resolve(ok({ parties: [], from: '' })),
})

const describeVenue = () =>
  describeApi([partyCreation, partyRemoval, programme], { baseUrl: 'http://foyer.test', shopUrl: 'http://shop.test' })
const { html: page, contentSecurityPolicy } = apiPage(describeVenue(), 'export FOYER_TOKEN=…')

const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name]!,
    )
    .replace(/\s+/g, ' ')
    .trim()

const rowsIn = (markup: string) =>
  Array.from(markup.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs), ([, row]) =>
    Array.from(row!.matchAll(/<t[hd]\b[^>]*>(.*?)<\/t[hd]>/gs), ([, cell]) => textOf(cell!)),
  )

const articleOf = (anchor: string) => {
  const start = page.indexOf(`<article id="${anchor}"`)
  expect(start).toBeGreaterThan(0)
  return page.slice(start, page.indexOf('</article>', start))
}

const CREATION = 'operation-post_admin_events_event_slug_guest_parties'
const REMOVAL = 'operation-delete_admin_events_event_slug_guest_parties_public_id'

test('the policy lets in the page’s one style and nothing else', () => {
  const styles = Array.from(page.matchAll(/<style>(.*?)<\/style>/gs), ([, style]) => style!)
  expect(styles).toHaveLength(1)
  const hash = createHash('sha256').update(styles[0]!).digest('base64')
  expect(contentSecurityPolicy).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\sstyle="|\son\w+="|(src|href)="(https?:)?\/\//)
})

test('every link leads to an anchor that is there exactly once', () => {
  const ids = Array.from(page.matchAll(/\sid="([^"]+)"/g), ([, id]) => id!)
  expect(ids.length).toBe(new Set(ids).size)

  const links = Array.from(page.matchAll(/href="([^"]+)"/g), ([, link]) => link!)
  expect(links.filter((link) => !link.startsWith('#'))).toEqual(['/openapi.json'])
  expect(links.filter((link) => link.startsWith('#') && !ids.includes(link.slice(1)))).toEqual([])
})

test('there is one first heading and no heading skips a level', () => {
  const body = page.slice(page.indexOf('<header>'))
  const levels = Array.from(body.matchAll(/<h([1-6])\b/g), ([, level]) => Number(level))
  expect(levels.filter((level) => level === 1)).toHaveLength(1)
  expect(levels[0]).toBe(1)
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? level) + 1)).toEqual([])
  for (const landmark of ['<nav', '<header', '<main', '<footer']) expect(page.split(landmark)).toHaveLength(2)
})

test('the introduction shows what stands in backticks as code', () => {
  expect(page).toContain('<code>Authorization: Bearer &lt;token&gt;</code>')
})

test('an operation tells its address, what it does and who may call it', () => {
  const text = textOf(articleOf(CREATION))
  expect(text).toMatch(/^POST \/admin\/events\/\{event_slug\}\/guest_parties/)
  expect(text).toContain('Puts a <party> on the guest list.')
  expect(text).toContain('Who may call it: organizer of the event, write')
})

test('parameters and body fields tell type, presence and bounds', () => {
  const rows = rowsIn(articleOf(CREATION))
  expect(rows).toContainEqual(['event_slug in the path', 'string', 'required', ''])
  expect(rows).toContainEqual(['page in the query', 'integer', 'optional', 'at least 1; default 1'])
  expect(rows).toContainEqual([
    'Idempotency-Key in the header',
    'string',
    'optional',
    expect.stringMatching(/^Repeating a creation .* creates nothing\.1 to 255 characters$/),
  ])
  expect(rows).toContainEqual(['guest_party', 'object', 'required', ''])
  expect(rows).toContainEqual(['guest_party.name', 'string', 'required', '1 to 80 characters'])
  expect(rows).toContainEqual(['guest_party.size', 'integer', 'required', '1 to 20'])
  expect(rows).toContainEqual(['guest_party.kind', 'string', 'required', 'one of "vip", "press"'])
  expect(rows).toContainEqual(['guest_party.note', 'string or null', 'optional', 'at most 255 characters'])
})

test('a named answer is a link to its resource, where nested fields, maps and variants are spelled out', () => {
  expect(articleOf(CREATION)).toContain('<a href="#resource-GuestParty">GuestParty</a>')

  const resource = articleOf('resource-GuestParty')
  expect(resource).toContain('<a href="#resource-Money">Money</a> or null')
  expect(rowsIn(resource)).toEqual([
    ['Field', 'Type', 'Present', 'Notes'],
    ['public_id', 'string', 'always', ''],
    ['price', 'Money or null', 'always', ''],
    ['cancelled_at', 'string (date-time) or null', 'always', ''],
    ['guests', 'array of object', 'always', ''],
    ['guests[].name', 'string', 'always', ''],
    ['guests[].tags', 'array of (string or null)', 'always', ''],
    ['answers', 'map of object', 'always', ''],
    ['answers.*.text', 'string', 'may be absent', ''],
    ['source', 'object', 'always', ''],
    ['When source.kind is "link"'],
    ['source.kind', 'string', 'always', 'always "link"'],
    ['source.url', 'string', 'always', ''],
    ['When source.kind is "office"'],
    ['source.kind', 'string', 'always', 'always "office"'],
    ['source.by', 'string', 'always', ''],
  ])
  expect(textOf(resource)).toContain('"name": "王小明"')
})

test('an answer without an example of its own is shown by its resources’ examples', () => {
  const article = articleOf('operation-get_programme')
  expect(rowsIn(article)).toContainEqual(['parties', 'array of GuestParty', 'always', ''])
  expect(textOf(article)).toContain('"parties": [ { "public_id": "gp_1"')
  expect(textOf(articleOf(REMOVAL))).toContain('204 No Content Refused: Errors')
})

/** What the shell would hand to curl. */
const argumentsOf = (anchor: string) => {
  const lines = /<pre class="paste"><code>(.*?)<\/code>/s.exec(articleOf(anchor))![1]!
  const shell = lines.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => textOf(entity))
  const output = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${shell}`], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      FOYER_TOKEN: 'secret',
      PUBLIC_ID: 'gp_1',
    },
  })
  return output.split('\0').slice(0, -1)
}

test('a shell takes the curl line as it stands, whatever the example says', () => {
  expect(argumentsOf(CREATION)).toEqual([
    '-X',
    'POST',
    'http://foyer.test/admin/events/winter-gala/guest_parties',
    '-H',
    'Authorization: Bearer secret',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(partyCreation.example),
  ])
  expect(argumentsOf(REMOVAL)).toEqual([
    '-X',
    'DELETE',
    'http://foyer.test/admin/events/winter-gala/guest_parties/gp_1',
    '-H',
    'Authorization: Bearer secret',
  ])
  expect(argumentsOf('operation-get_programme')).toEqual(['http://shop.test/programme'])
})

test('nothing in a description becomes markup', () => {
  const evil = `</style></code><script>alert("1")</script>'\``
  const description = describeVenue() as ReturnType<typeof describeApi> & {
    components: { schemas: Record<string, unknown> }
    info: Record<string, unknown>
    paths: Record<string, unknown>
  }
  const schema = {
    type: evil,
    format: evil,
    description: evil,
    pattern: evil,
    default: evil,
    enum: [evil],
    const: evil,
  }
  description.info = { title: evil, version: evil, description: evil, license: { name: evil } }
  description.components.schemas = { [evil]: { type: 'object', properties: { [evil]: schema }, examples: [evil] } }
  description.paths[`/${evil}`] = {
    get: {
      operationId: evil,
      summary: evil,
      tags: [evil],
      'x-access': evil,
      security: [],
      parameters: [{ name: evil, in: evil, description: evil, schema }],
      requestBody: { content: { [evil]: { schema: { $ref: `#/components/schemas/${evil}` }, example: evil } } },
      'x-codeSamples': [{ lang: evil, source: evil }],
      responses: {
        [evil]: {
          description: evil,
          headers: { [evil]: { description: evil } },
          content: { [evil]: { schema: { properties: { [evil]: schema } }, example: { [evil]: evil } } },
        },
      },
    },
  }

  const { html } = apiPage(description, evil)
  expect(html).not.toContain('<script')
  expect(html.split('</style>')).toHaveLength(2)
  expect(html).not.toMatch(/="[^"]*[<>][^"]*"/)
  expect(html).toContain('&lt;script&gt;')
})

const luminanceOf = (colour: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test.each(['light', 'dark'] as const)('every text is readable on every ground of the %s scheme', (scheme) => {
  const { grounds, texts } = PALETTES[scheme]
  const faint = Object.entries(texts).flatMap(([text, colour]) =>
    Object.entries(grounds).flatMap(([ground, behind]) => {
      const [darker, lighter] = [luminanceOf(colour), luminanceOf(behind)].toSorted((a, b) => a - b) as [number, number]
      const contrast = (lighter + 0.05) / (darker + 0.05)
      return contrast < 4.5 ? [`${text} on ${ground}: ${contrast.toFixed(2)}`] : []
    }),
  )
  expect(faint).toEqual([])
})
