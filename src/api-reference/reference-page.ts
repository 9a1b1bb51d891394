import Fastify from 'fastify'
import { html, cspHashSource, rawHtml } from '../kernel/html.ts'
import { once } from '../kernel/once.ts'
import type { Settings } from '../kernel/settings.ts'
import { DARK_PALETTE, LIGHT_PALETTE, type Palette } from '../pages/tokens.ts'

/** The script of Scalar's API reference. Its package offers it only by serving it, and four megabytes are not loaded before somebody reads. */
export const referenceScript = once(async (): Promise<string> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, payload } = await server.inject('/docs/js/scalar.js')
  await server.close()
  if (statusCode !== 200) throw new Error(`Scalar's script is not where it was: ${statusCode}`)
  return payload
})

/** Nothing is asked of another host: no fonts, no proxy, no telemetry, no assistant, and no token is kept. */
const CONFIGURATION = {
  url: '/openapi.json',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'json',
  operationTitleSource: 'summary',
  authentication: { preferredSecurityScheme: 'bearer' },
}

const colours = (palette: Palette) => `
  --scalar-color-1: ${palette.text};
  --scalar-color-2: ${palette.text};
  --scalar-color-3: ${palette.muted};
  --scalar-color-accent: ${palette.accent};
  --scalar-background-1: ${palette.page};
  --scalar-background-2: ${palette.raised};
  --scalar-background-3: ${palette.sunken};
  --scalar-background-accent: ${palette.sunken};
  --scalar-border-color: ${palette.line};
  --scalar-color-green: ${palette.good};
  --scalar-color-red: ${palette.bad};
  --scalar-color-yellow: ${palette.warn};
  --scalar-color-orange: ${palette.warn};
  --scalar-button-1: ${palette.accent};
  --scalar-button-1-color: ${palette['on-accent']};
  --scalar-button-1-hover: ${palette.accent};
  --scalar-sidebar-background-1: ${palette.page};
  --scalar-sidebar-border-color: ${palette.line};
  --scalar-sidebar-item-hover-background: ${palette.sunken};
  --scalar-sidebar-item-active-background: ${palette.sunken};
  --scalar-sidebar-color-1: ${palette.text};
  --scalar-sidebar-color-2: ${palette.muted};
  --scalar-sidebar-color-active: ${palette.accent};
`

const STYLE = `
body { margin: 0; }
.light-mode { ${colours(LIGHT_PALETTE)} }
.dark-mode { ${colours(DARK_PALETTE)} }
:root { --scalar-font: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --scalar-font-code: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
`

/** A page for the API description with search, a request builder and code in several languages. */
export const referencePage = ({ baseUrl, shopDomain }: Pick<Settings, 'baseUrl' | 'shopDomain'>) => {
  const { protocol } = new URL(baseUrl)
  const configuration = JSON.stringify({ ...CONFIGURATION, baseServerURL: baseUrl }).replaceAll('<', '\\u003c')
  const start = `Scalar.createApiReference('#reference', ${configuration})`
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Foyer API</title>
        <link rel="icon" href="data:," />
        ${rawHtml(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <div id="reference"></div>
        <noscript
          >This page needs JavaScript; the description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript
        >
        <script src="/docs/reference.js"></script>
        ${rawHtml(`<script>${start}</script>`)}
      </body>
    </html> `
  const contentSecurityPolicy = [
    "default-src 'none'",
    `script-src 'self' ${cspHashSource(start)}`,
    // Scalar writes style attributes. The page shows nothing but our own description, so no text can bring one in.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    // Requests are tried at the console's own address and at shops.
    `connect-src 'self' ${protocol}//*.${shopDomain}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html: page.markup, contentSecurityPolicy }
}
