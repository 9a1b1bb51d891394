// Node takes the types out of TypeScript by itself, but not under node_modules, where Foyer is when it was installed as a
// package. There it is done here, for the files of this package alone.
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const OWN = new URL('..', import.meta.url).href

// It says once that it is experimental; Node's own way, which does the same, is not.
const emitWarning = process.emitWarning
const strip = (source) => {
  process.emitWarning = () => {}
  try {
    return module.stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

module.registerHooks({
  load: (url, context, nextLoad) => {
    const isOwn = url.startsWith(OWN) && !url.slice(OWN.length).startsWith('node_modules/')
    if (!isOwn || !url.endsWith('.ts')) return nextLoad(url, context)
    return { format: 'module', shortCircuit: true, source: strip(readFileSync(fileURLToPath(url), 'utf8')) }
  },
})
