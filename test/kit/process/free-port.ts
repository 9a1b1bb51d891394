import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'

/** Below what systems give to connections and to listeners that ask for any port: it stays free until it is taken by name. */
const [LOWEST, HIGHEST] = [15_000, 32_000]

const given = new Set<number>()

/** A port for a server of another process, which may also stop and come back to it. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const server = net.createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
