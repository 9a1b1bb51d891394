import type { ShopScope } from '../access/access.ts'
import type { AppServices } from '../access/app.ts'
import type { Rows } from '../access/scopes.ts'
import { findRoughAvailability } from '../inventory/availability.ts'
import { serializerOf } from '../http/serializers.ts'
import { once } from '../kernel/once.ts'
import type { Language } from '../languages/rules.ts'
import { sealCodes } from './access-codes.ts'
import { calendarOf } from './calendar.ts'
import { eventPage } from './event-page.ts'
import { type WithValidity, getOrCache, validityOf } from './cache.ts'
import { programmePage } from './programme-page.ts'
import {
  type WholeFeedEvent,
  findCurrentSlug,
  findNextPublicationTime,
  findProgramme,
  findPublishedEvent,
  hasVouchersForSale,
} from './records.ts'
import { JSON_TYPE, type Representation, createRepresentation } from './representation.ts'
import { LOW_STOCK_MAX, type RemainingByTicket, isEventOver, unlockedTicketIds } from './rules.ts'
import { PublicEvents, type Shop, type ShownEvent, WholePublicEvent, showEvent, showWholeEvent } from './wire.ts'

/** Everything that can be asked about the programme, each made when it is first asked for. */
export interface ProgrammeView extends WithValidity {
  events: ShownEvent[]
  json: () => Representation
  page: (language: Language) => Representation
}

/** One event as those see it who unlocked the same tickets. */
export interface EventView extends WithValidity {
  json: () => Representation
  /** With the codes that whoever asks has sent, for the way to the tickets. */
  page: (language: Language, codes: readonly string[]) => Representation
  calendar: () => Representation
}

interface KeptEvent extends WithValidity {
  event: WholeFeedEvent
  rooms: RemainingByTicket
  views: Map<string, EventView>
}

const VIEWS_MAX = 16
/** As many as may come in one request, and a few. */
const UNKNOWN_CODES_PER_MINUTE = 120
const SLUG = /^[a-z0-9-]{1,200}$/

const serializeEvents = serializerOf(PublicEvents)
const serializeEvent = serializerOf(WholePublicEvent)

const shopOf = (scope: ShopScope): Shop => ({
  origin: scope.address.origin,
  name: scope.account.name,
  currency: scope.account.currency,
})

const nowAt = ({ address, app }: ShopScope) => address.cache.now ?? app.clock.now()

export const findProgrammeView = async (scope: ShopScope): Promise<ProgrammeView> => {
  const programme = await getOrCache<ProgrammeView>(scope.address.cache, 'programme', async () => {
    const shop = shopOf(scope)
    const { found, rooms, nextPublication, hasVouchers } = await scope.replicaRead(async (rows) => {
      const found = await findProgramme(rows)
      const ids = found.map((event) => event.id)
      return {
        found,
        rooms: await findRoughRemaining(rows, ids),
        nextPublication: await findNextPublicationTime(rows),
        hasVouchers: await hasVouchersForSale(rows),
      }
    })
    const now = nowAt(scope)
    const events = found.map((event) => showEvent(shop, event, { now, rooms }))
    const changesAt = earliest([...found.map((event) => event.changesAt), nextPublication])
    return {
      events,
      span: validityOf(now, changesAt),
      json: once(() => createRepresentation(serializeEvents({ events }), JSON_TYPE)),
      page: oncePerLanguage((language) => representPage(programmePage(shop, events, { language, hasVouchers }))),
    }
  })
  return programme!
}

/** The codes that somebody sent for an event, and where from. */
export interface AccessCodeAttempt {
  codes: readonly string[]
  ip: string
}

/** The view for the codes that were sent; null when the shop shows no such event. */
export const findEventView = async (
  scope: ShopScope,
  slug: string,
  sent: AccessCodeAttempt | null = null,
): Promise<EventView | null> => {
  const kept = await findKept(scope, slug)
  if (!kept) return null

  // From here on the codes are forgotten: what they open is all that counts, so made-up ones make no new view.
  const unlocked = sent ? await tryCodes(scope, kept.event, sent) : []
  const key = unlocked.join()
  const known = kept.views.get(key)
  if (known) return known

  const view = viewOf(scope, kept, unlocked)
  if (kept.views.size < VIEWS_MAX) kept.views.set(key, view)
  return view
}

const findKept = (scope: ShopScope, slug: string): Promise<KeptEvent | null> | KeptEvent | null =>
  SLUG.test(slug) ? getOrCache(scope.address.cache, `event ${slug}`, () => loadEvent(scope, slug)) : null

/** Codes that come with a purchase are guesses as much as those that are shown the event; all of them are counted together. */
export const countAccessCodes = async (
  scope: ShopScope,
  slug: string | null,
  sent: AccessCodeAttempt,
): Promise<void> => {
  const kept = sent.codes.length > 0 && slug !== null ? await findKept(scope, slug) : null
  if (kept) await tryCodes(scope, kept.event, sent)
}

/** The address of an event that stood at this one before it was given another slug. */
export const findRedirectAddress = async (scope: ShopScope, slug: string, address: string): Promise<string | null> => {
  const moved = SLUG.test(slug) ? await findCurrentSlug(scope.rows, slug) : null
  if (!moved) return null
  // The slug may be written in other letters than its own, and what stands before the path is not ours.
  const [, rest = ''] = /\/events\/[^/?.]+(.*)$/s.exec(address) ?? []
  return `${scope.address.origin}/events/${moved}${rest}`
}

/** A venue makes its codes up, so they can be guessed: each that opens nothing is counted, and a right one never. */
const tryCodes = async (
  { app }: ShopScope,
  event: WholeFeedEvent,
  { codes, ip }: AccessCodeAttempt,
): Promise<number[]> => {
  if (codes.length === 0 || event.codes.size === 0) return []
  const unknown = app.budgets.shared('unknown access codes of an event from an address', UNKNOWN_CODES_PER_MINUTE)
  return unknown.guess(`${ip} ${event.id}`, codes.length, async () => ({
    found: unlockedTicketIds(codes, event.codes, event.tickets),
    misses: codes.filter((code) => !event.codes.has(code)).length,
  }))
}

const loadEvent = (scope: ShopScope, slug: string): Promise<KeptEvent | null> =>
  scope.replicaRead(async (rows) => {
    const event = await findPublishedEvent(rows, slug)
    if (!event) return null
    const span = validityOf(nowAt(scope), event.changesAt)
    return { event, rooms: await findRoughRemaining(rows, [event.id]), views: new Map(), span }
  })

const viewOf = (scope: ShopScope, { event, rooms, span }: KeptEvent, unlocked: readonly number[]): EventView => {
  const shop = shopOf(scope)
  const { isUnlisted } = event
  const now = nowAt(scope)
  const shown = once(() => showWholeEvent(shop, event, { now, rooms, unlocked }))
  const dated = (representation: Representation) => withDate(scope.app, representation, event.unchangedSince)

  /** Codes are not remembered, so a page that carries some on is drawn for whoever sent them. */
  const drawPage = (language: Language, codes: readonly string[]) => {
    const isPrivate = isUnlisted || unlocked.length > 0
    const unlock = codes.length === 0 ? null : sealCodes(scope.app, codes)
    const context = { shop, language, isOver: isEventOver(event, now), isPrivate, unlock }
    return dated(representPage(eventPage(shown(), context)))
  }
  const pageOf = oncePerLanguage((language) => drawPage(language, []))

  return {
    span,
    json: once(() => dated(createRepresentation(serializeEvent(shown()), JSON_TYPE))),
    page: (language, codes) => (unlocked.length > 0 && codes.length > 0 ? drawPage(language, codes) : pageOf(language)),
    calendar: once(() =>
      createRepresentation(calendarOf(shown(), now), 'text/calendar; charset=utf-8', {
        'content-disposition': `attachment; filename="${event.slug}.ics"`,
      }),
    ),
  }
}

/** What is left, no more exactly than it is shown. */
export const findRoughRemaining = async (rows: Rows, eventIds: readonly number[]): Promise<RemainingByTicket> => {
  if (eventIds.length === 0) return new Map()
  const tickets = await findRoughAvailability(rows, eventIds, LOW_STOCK_MAX + 1)
  return new Map(tickets.map(({ id, available }) => [id, available]))
}

const representPage = ({ html, contentSecurityPolicy }: { html: string; contentSecurityPolicy: string }) =>
  createRepresentation(html, 'text/html; charset=utf-8', { 'content-security-policy': contentSecurityPolicy })

const oncePerLanguage = <T>(make: (language: Language) => T): ((language: Language) => T) => {
  const made = new Map<Language, T>()
  return (language) => {
    const before = made.get(language)
    if (before !== undefined) return before
    const now = make(language)
    made.set(language, now)
    return now
  }
}

const DATES_MAX = 10_000
const dates = new WeakMap<AppServices, Map<string, string>>()

/**
 * Last-Modified is the moment before which this very representation was in place already. It is taken once: rows are
 * touched by every sale, and nobody shall read from a header when the last one was.
 */
const withDate = (app: AppServices, representation: Representation, unchangedSince: Date): Representation => {
  const known = dates.get(app) ?? new Map<string, string>()
  dates.set(app, known)
  const date = known.get(representation.etag) ?? unchangedSince.toUTCString()
  if (known.size >= DATES_MAX) known.clear()
  known.set(representation.etag, date)
  return { ...representation, headers: { ...representation.headers, 'last-modified': date } }
}

const earliest = (moments: readonly (Date | null)[]): Date | null => {
  const times = moments.filter((each) => each !== null).map((each) => each.getTime())
  return times.length === 0 ? null : new Date(Math.min(...times))
}
