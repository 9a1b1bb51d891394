import path from 'node:path'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { type Front, NONCE_PLACEHOLDER, SERVICE_WORKER } from './src/fronts/rules.ts'
import { readBuildStamp } from './src/fronts/build-stamp.ts'
import { TOKEN_STYLE } from './src/pages/tokens.ts'

/** How a front is built, and served while somebody works on it. */
export const frontConfig = (front: Front): InlineConfig => ({
  configFile: false,
  root: path.join(import.meta.dirname, 'web', front),
  base: `/${front}/`,
  // Two servers run side by side, and each would throw away what the other has prepared.
  cacheDir: path.join(import.meta.dirname, 'node_modules/.vite', front),
  logLevel: 'warn',
  ...(front === 'door'
    ? { plugins: [tokensWhileServed], oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } } }
    : { plugins: [react(), tokensWhileServed] }),
  worker: { format: 'es' },
  define: { 'import.meta.env.VITE_FOYER_BUILD': JSON.stringify(readBuildStamp().slice(0, 8)) },
  build: {
    ...buildWithWorker(front),
    // What is inlined would need the policy to allow data: addresses, and what polyfills would be an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2023',
  },
})

/** Beside the page the service worker, one file under a name that stays. It shares nothing with the page's own scripts. */
const buildWithWorker = (front: Front): InlineConfig['build'] => {
  const folder = path.join(import.meta.dirname, 'web', front)
  return {
    rolldownOptions: {
      input: {
        index: path.join(folder, 'index.html'),
        'service-worker': path.join(folder, 'service-worker.ts'),
      },
      output: {
        // What every view needs comes as one file, and not as ten that ask for each other.
        codeSplitting: { groups: [{ name: 'frame', tags: ['$initial'], minShareCount: 2 }] },
        entryFileNames: ({ name }) => (name === 'service-worker' ? SERVICE_WORKER : 'assets/[name]-[hash].js'),
      },
    },
  }
}

/** The built page gets them, and its nonce, from the server. */
export const withNonce = (config: InlineConfig): InlineConfig => ({ ...config, html: { cspNonce: NONCE_PLACEHOLDER } })

const tokensWhileServed: Plugin = {
  name: 'foyer-tokens',
  apply: 'serve',
  transformIndexHtml: () => [{ tag: 'style', children: TOKEN_STYLE, injectTo: 'head' }],
}
