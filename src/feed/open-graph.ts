import { type Html, html } from '../kernel/html.ts'

export interface LinkPreview {
  title: string
  description: string
  url: string
  siteName: string
  image: string | null
}

/** How the page looks where somebody shares its address. */
export const openGraphTags = ({ title, description, url, siteName, image }: LinkPreview): Html =>
  html`<meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${url}" />
    <meta property="og:site_name" content="${siteName}" />
    ${image && html`<meta property="og:image" content="${image}" />`}
    <meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}" />`
