import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import type { DataDirectory } from './data-directory.ts'

/**
 * One process at a time makes, starts or stops the server of a data folder. The lock is a name among the kernel's
 * abstract sockets: it cannot be taken twice and is gone the moment its holder is, however that one ends. The
 * password is part of the name, so nobody else can know it beforehand.
 */
export const withLock = async <T>(
  place: DataDirectory,
  options: { patience: number; signal?: AbortSignal },
  work: () => Promise<T>,
): Promise<T> => {
  const digest = createHash('sha256').update(`${place.password}\n${place.cluster}`).digest('hex')
  const deadline = performance.now() + options.patience
  let lock = await takeName(`\0foyer-${digest.slice(0, 40)}`)
  while (!lock) {
    options.signal?.throwIfAborted()
    if (performance.now() > deadline) throw new Error(`Another process is busy with the database in ${place.cluster}.`)
    await delay(20)
    lock = await takeName(`\0foyer-${digest.slice(0, 40)}`)
  }
  try {
    return await work()
  } finally {
    await release(lock)
  }
}

const takeName = (name: string) =>
  new Promise<Server | null>((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    server.listen({ path: name, exclusive: true }, () => resolve(server))
  })

const release = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))
