import { spawn } from 'node:child_process'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { freePort } from '../test/kit/process/free-port.ts'

export interface Pooler {
  /** The same database as at this address, through the pooler. */
  addressOf(direct: string): string
  close(): void
}

/** How a server of PostgreSQL is reached. */
export interface ServerAddress {
  host: string
  port: number
  user: string
  password: string
}

/**
 * PgBouncer of this machine before the bench's server. In session mode, since announcements and prepared statements belong
 * to a connection. What Foyer asks for when it connects, its time limit and its plans, PgBouncer does not pass on.
 */
export const openPooler = async (folder: string, server: ServerAddress): Promise<Pooler> => {
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const settings = path.join(folder, 'pgbouncer.ini')
  const { uid, gid } = await stat(server.host)
  await writeFile(
    settings,
    `[databases]
* = host=${server.host} port=${server.port} user=${server.user} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 80
max_client_conn = 500
ignore_startup_parameters = extra_float_digits, options, statement_timeout
`,
  )
  const child = spawn('pgbouncer', ['-q', settings], { uid, gid, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`pgbouncer ended with ${code}`)))
  })
  ended.catch(() => {})
  await Promise.race([ended, answering({ ...server, host: '127.0.0.1', port, database: 'postgres' })])
  return {
    addressOf: (direct) => {
      const address = new URL(direct)
      address.host = `127.0.0.1:${port}`
      address.searchParams.delete('host')
      return address.href
    },
    close: () => void child.kill(),
  }
}

const answering = async (connection: pg.ClientConfig): Promise<void> => {
  for (;;) {
    const client = new pg.Client(connection)
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
