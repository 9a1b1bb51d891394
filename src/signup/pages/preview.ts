import { organizerOfEvent } from '../../access/access.ts'
import { shopOrigin } from '../../access/shop-address.ts'
import type { EventScope } from '../../access/scopes.ts'
import { findQuestions } from '../../admissions/terms/records.ts'
import { questionsOfScope } from '../../guest-list/rules.ts'
import { RawAnswer } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { languageOrFallback } from '../../languages/rules.ts'
import { PreviewedLink, pageSettingsOf } from '../links/inputs.ts'
import type { PageSettings } from '../links/rules.ts'
import { findEventOnPage } from './records.ts'
import { signupPage } from './signup-page.ts'
import type { ShownForm } from './sign-up.ts'

/** An event that is not published yet is shown as it will be. */
const previewForm = (scope: EventScope, link: PageSettings): Promise<ShownForm> =>
  scope.consistentRead(async (rows) => {
    const event = requireFound(await findEventOnPage(rows, scope.event.id))
    const questions = link.asksQuestions ? await findQuestions(rows, event.id) : []
    const isOpen = event.isOpen || (!event.isPublished && !event.isCancelled)
    return { event: { ...event, isOpen }, link, questions: questionsOfScope('order', questions) }
  })

/** At the console's address, which shows it in a frame that can do nothing, so its links are told where the shop is. */
export const signupPreviewEndpoint = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_list_forms/preview',
  operationId: 'previewSignupLink',
  says: 'The page that guests would get from a link with these settings, which are stored nowhere.',
  access: organizerOfEvent('write'),
  body: PreviewedLink,
  example: { guest_list_form: { ticket_id: 6, max_companions: 2, companion_names_field: 'required' }, language: 'en' },
  answers: {},
  media: ['text/html'],
  handle: async ({ event: scope, body: { settings, language } }) => {
    const { name, language: ownLanguage, subdomain } = scope.account
    const reader = { shopName: name, language: language ?? languageOrFallback(ownLanguage) }
    const page = signupPage(reader, await previewForm(scope, pageSettingsOf(settings)))
    const origin = shopOrigin(scope.app, subdomain)
    return new RawAnswer(200, page.headers, (page.body as string).replaceAll('href="/', `href="${origin}/`))
  },
})
