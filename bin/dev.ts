import { spawn } from 'node:child_process'
import path from 'node:path'
import { createServer } from 'vite'
import { readEnvFile, readSettings } from '../src/kernel/settings.ts'
import { FRONTS } from '../src/fronts/rules.ts'
import { frontConfig } from '../vite.config.ts'

const VITE_PORT = 5173

/**
 * Foyer, started anew when its sources change, behind a server that shows a change in web/ at once. Its pages have no
 * strict policy: that belongs to what is built.
 */
readEnvFile()
const { port } = readSettings()
const foyer = spawn(process.execPath, ['--watch', path.join(import.meta.dirname, 'foyer.js'), 'serve'], {
  stdio: 'inherit',
})
const target = { target: `http://localhost:${port}`, changeOrigin: false }
const [front] = FRONTS
const server = await createServer({
  ...frontConfig(front),
  logLevel: 'info',
  server: {
    port: VITE_PORT,
    strictPort: true,
    proxy: { [`^/(?!${front}(/|$))`]: target, [`^/${front}/session`]: target },
  },
})
await server.listen()
server.printUrls()

const stop = async () => {
  foyer.kill('SIGTERM')
  await server.close()
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
foyer.on('exit', (code) => void server.close().then(() => process.exit(code ?? 0)))
