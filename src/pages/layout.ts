import { html } from '../kernel/html.ts'
import type { Language } from '../languages/rules.ts'
import { type RenderedDocument, type HtmlDocument, renderDocument } from './document.ts'
import { BASE_STYLE } from './style.ts'
import { PAGE_WORDS } from './words.ts'

export interface PublicPage extends Omit<HtmlDocument, 'home' | 'footer' | 'style'> {
  /** The page's own title, without the shop's name. */
  title: string
  shopName: string
  /** What the page adds to the shared style. */
  style?: string
}

/** The frame of every page that guests see; each works without a script. The programme stands in its top bar unless told otherwise. */
export const renderPublicPage = ({
  title,
  shopName,
  style = '',
  language,
  navigation = programmeLink(language),
  ...page
}: PublicPage): RenderedDocument =>
  renderDocument({
    ...page,
    language,
    title: title === shopName ? title : `${title} · ${shopName}`,
    style: BASE_STYLE + style,
    home: html`<a class="shop" href="/events" dir="auto">${shopName}</a>`,
    navigation,
    footer: html`<span dir="auto">${shopName}</span> · ${PAGE_WORDS[language].runsOnFoyer}`,
  })

const programmeLink = (language: Language) =>
  html`<nav aria-label="${PAGE_WORDS[language].shop}"><a href="/events">${PAGE_WORDS[language].programme}</a></nav>`
