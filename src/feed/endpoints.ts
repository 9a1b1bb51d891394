import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { type ShopScope, shopVisitor } from '../access/access.ts'
import { RawAnswer, page, redirect } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldSchemas } from '../http/fields.ts'
import { findImage } from '../files/event-images.ts'
import { storageOf } from '../files/open-storage.ts'
import { parseImageName } from '../images/names.ts'
import { html } from '../kernel/html.ts'
import { found } from '../kernel/refusals.ts'
import { publicPage } from '../pages/layout.ts'
import { findEventView, findNewAddress, findShownProgramme } from './find-shown.ts'
import { answerWith } from './representation.ts'
import { readCodes } from './rules.ts'
import { robotsOf, sitemapOf } from './sitemap.ts'
import { PublicEvents, WholePublicEvent } from './wire.ts'

export const programme = endpoint({
  method: 'GET',
  path: '/events',
  operationId: 'listPublicEvents',
  says: 'The programme of a shop, at the shop’s own address: published, listed events that are not over, the next one first.',
  access: shopVisitor(),
  anyOrigin: true,
  answers: { 200: PublicEvents, 304: null },
  handle: async (asked) => {
    const shown = await findShownProgramme(asked.shop)
    return answerWith(asked, shown.json(), shown.span)
  },
  page: async (asked) => {
    const shown = await findShownProgramme(asked.shop)
    return answerWith(asked, shown.page(), shown.span)
  },
})

/** Read as it was sent: any number of codes, of which only those that open something matter. */
const codes = () => {
  const field = z.unknown()
  fieldSchemas.add(field, { schema: { type: 'array', items: { type: 'string' } }, required: false })
  return field
}

interface EventAsked {
  shop: ShopScope
  params: { slug: string }
  query: { code?: unknown; 'code[]'?: unknown }
  ip: string
}

const viewFor = ({ shop: scope, params, query, ip }: EventAsked) =>
  findEventView(scope, params.slug, { codes: readCodes(query.code, query['code[]']), ip })

export const publicEvent = endpoint({
  method: 'GET',
  path: '/events/:slug',
  operationId: 'getPublicEvent',
  says: 'One event of a shop with its tickets, performers and questions; access codes in `code` unlock hidden tickets.',
  access: shopVisitor(),
  anyOrigin: true,
  query: z.object({ code: codes(), 'code[]': codes() }),
  answers: { 200: WholePublicEvent, 304: null },
  handle: async (asked) => {
    const view = await viewFor(asked)
    return view ? answerWith(asked, view.json(), view.span) : found(await leadOn(asked))
  },
  page: async (asked) => {
    const view = await viewFor(asked)
    if (view) return answerWith(asked, view.page(), view.span)
    return (await leadOn(asked)) ?? missingPage(asked.shop.account.name)
  },
})

/** Old addresses of an event lead to its new one for ever, with whatever was asked of them. */
const leadOn = async ({
  shop,
  params,
  stream,
}: {
  shop: ShopScope
  params: { slug: string }
  stream: IncomingMessage
}) => {
  const address = await findNewAddress(shop, params.slug, stream.url ?? '')
  return address === null ? null : redirect(address, 301)
}

const missingPage = (shopName: string) => {
  const { html: text, contentSecurityPolicy } = publicPage({
    title: 'Not found',
    shopName,
    isPrivate: true,
    body: html`<h1>This event is not here</h1>
      <p>It may have been moved or taken off the programme.</p>
      <p><a class="button" href="/events">See what is on</a></p>`,
  })
  return page(text, 404, { 'content-security-policy': contentSecurityPolicy, vary: 'Accept' })
}

const calendarEntry = endpoint({
  method: 'GET',
  path: '/events/:slug.ics',
  says: 'The event as an entry for a calendar.',
  access: shopVisitor(),
  anyOrigin: true,
  answers: {},
  undocumented: true,
  handle: async (asked) => {
    const view = await findEventView(asked.shop, asked.params.slug)
    return view ? answerWith(asked, view.calendar(), view.span) : found(await leadOn(asked))
  },
})

const shopImage = endpoint({
  method: 'GET',
  path: '/images/:name',
  says: 'An image of the shop, as it was given or as a thumbnail.',
  access: shopVisitor(),
  anyOrigin: true,
  answers: {},
  undocumented: true,
  handle: async ({ shop: scope, params }) => {
    const name = found(parseImageName(params.name))
    const { bytes, type, size } = found(await findImage(storageOf(scope.app).images, name))
    const headers = {
      'content-type': type,
      'content-length': String(size),
      'cache-control': 'public, max-age=31536000, immutable',
    }
    return new RawAnswer(200, headers, bytes)
  },
})

const entrance = endpoint({
  method: 'GET',
  path: '/',
  says: 'Leads to the programme.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: async () => redirect('/events'),
})

const sitemap = endpoint({
  method: 'GET',
  path: '/sitemap.xml',
  says: 'The pages of the shop, for search engines.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: async (asked) => {
    const { events } = await findShownProgramme(asked.shop)
    return answerWith(asked, sitemapOf(asked.shop.address.origin, events))
  },
})

const robots = endpoint({
  method: 'GET',
  path: '/robots.txt',
  says: 'What search engines may look at.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: async (asked) => answerWith(asked, robotsOf(asked.shop.address.origin)),
})

export const feedEndpoints = [programme, publicEvent, calendarEntry, shopImage, entrance, sitemap, robots]
