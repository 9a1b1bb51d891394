import path from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { NONCE_PLACEHOLDER } from './src/fronts/rules.ts'
import { TOKEN_STYLE } from './src/pages/tokens.ts'

/** How a front is built, and served while somebody works on it. */
export const frontConfig = (front: string): InlineConfig => ({
  configFile: false,
  root: path.join(import.meta.dirname, 'web', front),
  base: `/${front}/`,
  logLevel: 'warn',
  plugins: [react(), tokensWhileServed],
  build: {
    // What is inlined would need the policy to allow data: addresses, and what polyfills would be an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2023',
  },
})

/** The built page gets them, and its nonce, from the server. */
export const withNonce = (config: InlineConfig): InlineConfig => ({ ...config, html: { cspNonce: NONCE_PLACEHOLDER } })

const tokensWhileServed: Plugin = {
  name: 'foyer-tokens',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'style', children: TOKEN_STYLE, injectTo: 'head' }],
}
