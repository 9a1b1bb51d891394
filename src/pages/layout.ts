import { html } from '../kernel/html.ts'
import { type DrawnPage, type HtmlDocument, drawDocument } from './document.ts'
import { BASE_STYLE } from './style.ts'

export interface PublicPage extends Omit<HtmlDocument, 'home' | 'footer' | 'script' | 'style'> {
  /** The page's own title, without the shop's name. */
  title: string
  shopName: string
  /** What the page adds to the shared style. */
  style?: string
}

/** The frame of every page that guests see; it needs no script. The programme stands in its top bar unless told otherwise. */
export const publicPage = ({ title, shopName, style = '', navigation = PROGRAMME, ...page }: PublicPage): DrawnPage =>
  drawDocument({
    ...page,
    title: title === shopName ? title : `${title} · ${shopName}`,
    style: BASE_STYLE + style,
    home: html`<a class="shop" href="/events" dir="auto">${shopName}</a>`,
    navigation,
    footer: html`<span dir="auto">${shopName}</span> · runs on Foyer`,
  })

const PROGRAMME = html`<nav aria-label="Shop"><a href="/events">Programme</a></nav>`
