// Builds the console, at "npm ci" and where "npm start" finds it older than its sources. It ends well where it cannot
// build, because an installation without the build tools serves everything else.
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)
const isMissing = (name) => {
  try {
    resolve(name)
    return false
  } catch {
    return true
  }
}

// Whoever asks, what is built is for production: React's own checks would double its weight.
process.env['NODE_ENV'] = 'production'

if (Number(process.versions.node.split('.')[0]) < 24)
  console.error('The console is built by Node 24 or newer; skipped.')
else if (['vite', '@vitejs/plugin-react', 'react'].some(isMissing))
  console.error('Vite is not installed; the console is not built.')
else await import('./build-fronts.ts')
