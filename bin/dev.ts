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
const foyer = spawn(process.execPath, ['--watch', path.join(import.meta.dirname, 'foyer.ts'), 'serve'], {
  stdio: 'inherit',
})
const target = { target: `http://localhost:${port}`, changeOrigin: false }

/** Each front has a server that shows its changes at once; the second one's pages come through the first one's address. */
const [first, second] = FRONTS
const secondPort = VITE_PORT + 1
const secondServer = await createServer({
  ...frontConfig(second),
  server: { port: secondPort, strictPort: true, hmr: { clientPort: secondPort } },
})
const server = await createServer({
  ...frontConfig(first),
  logLevel: 'info',
  server: {
    port: VITE_PORT,
    strictPort: true,
    proxy: {
      [`^/${second}(/|$|\\?)`]: {
        target: `http://localhost:${secondPort}`,
        rewrite: (path) => path.replace(new RegExp(`^/${second}(?=$|\\?)`), `/${second}/`),
      },
      [`^/(?!${first}(/|$))`]: target,
      [`^/${first}/session`]: target,
    },
  },
})
await secondServer.listen()
await server.listen()
server.printUrls()

const stop = async () => {
  foyer.kill('SIGTERM')
  await Promise.all([server.close(), secondServer.close()])
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
foyer.on('exit', (code) => void Promise.all([server.close(), secondServer.close()]).then(() => process.exit(code ?? 0)))
