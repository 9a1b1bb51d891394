import { setupManagementOfEvent } from '../access/access.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { RawAnswer } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { languageOrFallback } from '../languages/rules.ts'
import { requireFound } from '../kernel/refusals.ts'
import { eventPage } from './event-page.ts'
import { findRoughRemaining } from './find-shown.ts'
import { findPreviewedEvent } from './records.ts'
import { isEventOver } from './rules.ts'
import { showWholeEvent } from './wire.ts'

/** At the console's address, so its links are told where the shop is; the console shows it in a frame. */
export const eventPreviewEndpoint = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/preview',
  operationId: 'previewEvent',
  says: 'The page of an event as the shop would show it to everybody, published or not.',
  access: setupManagementOfEvent('read'),
  answers: {},
  media: ['text/html'],
  handle: async ({ event: scope }) => {
    const { event, rooms } = await scope.consistentRead(async (rows) => ({
      event: requireFound(await findPreviewedEvent(rows, scope.event.id)),
      rooms: await findRoughRemaining(rows, [scope.event.id]),
    }))
    const { name, currency, subdomain, language } = scope.account
    const shop = { origin: shopOrigin(scope.app, subdomain), name, currency }
    const now = scope.app.clock.now()
    const shown = showWholeEvent(shop, event, { now, rooms })
    const { html, contentSecurityPolicy } = eventPage(shown, {
      shop,
      language: languageOrFallback(language),
      isOver: isEventOver(event, now),
      isPrivate: true,
    })
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
      'x-frame-options': 'SAMEORIGIN',
    }
    return new RawAnswer(200, headers, html.replaceAll('href="/', `href="${shop.origin}/`))
  },
})
