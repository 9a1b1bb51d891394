import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { type ShopScope, shopVisitor } from '../access/access.ts'
import { RawAnswer, htmlPage, redirect } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldSchemas } from '../http/fields.ts'
import { readImageOrThumbnail } from '../files/event-images.ts'
import { storageOf } from '../files/open-storage.ts'
import { parseImageName } from '../images/names.ts'
import { languageOfRequest } from '../http/request-language.ts'
import { html } from '../kernel/html.ts'
import { requireFound } from '../kernel/refusals.ts'
import type { Language } from '../languages/rules.ts'
import { renderPublicPage } from '../pages/layout.ts'
import { findEventView, findRedirectAddress, findProgrammeView } from './find-shown.ts'
import { eventPreviewEndpoint } from './preview.ts'
import { answerOrNotModified } from './representation.ts'
import { readAccessCodes } from './rules.ts'
import { robotsOf, sitemapOf } from './sitemap.ts'
import { PublicEvents, WholePublicEvent } from './wire.ts'
import { FEED_WORDS } from './words.ts'

export const programmeEndpoint = endpoint({
  method: 'GET',
  path: '/events',
  operationId: 'listPublicEvents',
  says: 'The programme of a shop, at the shop’s own address: published, listed events that are not over, the next one first.',
  access: shopVisitor(),
  anyOrigin: true,
  answers: { 200: PublicEvents, 304: null },
  handle: async (asked) => {
    const shown = await findProgrammeView(asked.shop)
    return answerOrNotModified(asked, shown.json(), shown.span)
  },
  page: async (asked) => {
    const shown = await findProgrammeView(asked.shop)
    return answerOrNotModified(asked, shown.page(languageOfRequest(asked.shop.account, asked.headers)), shown.span)
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
  findEventView(scope, params.slug, { codes: readAccessCodes(query.code, query['code[]']), ip })

export const publicEventEndpoint = endpoint({
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
    return view ? answerOrNotModified(asked, view.json(), view.span) : requireFound(await leadOn(asked))
  },
  page: async (asked) => {
    const view = await viewFor(asked)
    const codes = readAccessCodes(asked.query.code, asked.query['code[]'])
    if (view)
      return answerOrNotModified(
        asked,
        view.page(languageOfRequest(asked.shop.account, asked.headers), codes),
        view.span,
      )
    return (
      (await leadOn(asked)) ??
      missingPage(asked.shop.account.name, languageOfRequest(asked.shop.account, asked.headers))
    )
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
  const address = await findRedirectAddress(shop, params.slug, stream.url ?? '')
  return address === null ? null : redirect(address, 301)
}

const missingPage = (shopName: string, language: Language) => {
  const words = FEED_WORDS[language]
  const { html: text, contentSecurityPolicy } = renderPublicPage({
    language,
    title: words.notFound,
    shopName,
    isPrivate: true,
    body: html`<h1>${words.eventNotHere}</h1>
      <p>${words.movedOrGone}</p>
      <p><a class="button" href="/events">${words.seeWhatIsOn}</a></p>`,
  })
  return htmlPage(text, 404, { 'content-security-policy': contentSecurityPolicy, vary: 'Accept' })
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
    return view ? answerOrNotModified(asked, view.calendar(), view.span) : requireFound(await leadOn(asked))
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
    const name = requireFound(parseImageName(params.name))
    const { bytes, type, size } = requireFound(await readImageOrThumbnail(storageOf(scope.app).images, name))
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
    const { events } = await findProgrammeView(asked.shop)
    return answerOrNotModified(asked, sitemapOf(asked.shop.address.origin, events))
  },
})

const robots = endpoint({
  method: 'GET',
  path: '/robots.txt',
  says: 'What search engines may look at.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: async (asked) => answerOrNotModified(asked, robotsOf(asked.shop.address.origin)),
})

export const feedEndpoints = [
  programmeEndpoint,
  publicEventEndpoint,
  eventPreviewEndpoint,
  calendarEntry,
  shopImage,
  entrance,
  sitemap,
  robots,
]
