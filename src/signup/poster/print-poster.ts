import type { EventScope } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { findLink } from '../links/records.ts'
import { findEventOnPage } from '../pages/records.ts'
import { whenAndWhere } from '../pages/when-and-where.ts'
import { languageOrFallback } from '../../languages/rules.ts'
import { SIGNUP_WORDS } from '../pages/words.ts'
import { signupLinkUrl } from '../tokens.ts'

/** The sheet that leads guests to a link. It holds the address, so a rotation makes every printed one lead nowhere. */
export const printPoster = async (event: EventScope, publicId: string): Promise<Buffer> => {
  const { link, shown } = await event.consistentRead(async (rows) => ({
    link: requireFound(await findLink(rows, event.event.id, publicId)),
    shown: requireFound(await findEventOnPage(rows, event.event.id)),
  }))
  // Fonts and their tools take a moment and some memory, so they come with the first sheet.
  const { posterPdf } = await import('../../pdf/poster-pdf.ts')
  const language = languageOrFallback(event.account.language)
  const words = SIGNUP_WORDS[language]
  return posterPdf({
    language,
    organizer: event.account.name,
    occasion: words.guestList,
    title: shown.title,
    facts: whenAndWhere(shown, language),
    call: words.scanToSignUp,
    promise: link.approvalMode === 'automatic' ? words.ticketsAtOnce : words.subjectToConfirmation,
    url: signupLinkUrl(event.app, event.account, link.sealedToken),
  })
}
