import { constants, accessSync } from 'node:fs'
import { Socket, isIP } from 'node:net'
import type pg from 'pg'
import { type DatabaseHost, type DatabaseUrl, readDatabaseUrl } from '../kernel/database-url.ts'
import { Misconfigured } from '../kernel/settings.ts'
import { isSame, openPrimaryFinder } from './primary-finder.ts'

export interface ConnectionToDatabase {
  /** Where the URL names several servers, what is opened with this goes to the one that takes writes at that moment. */
  connection: pg.PoolConfig
  close(): Promise<void>
}

interface HostOptions {
  onMove?: (from: string, to: string) => void
  watchEveryMs?: number
}

/** The way to the database of a URL, for pools and for single connections alike. */
export const connectTo = (name: string, url: string, options: HostOptions = {}): ConnectionToDatabase => {
  const read = readDatabaseUrl(name, url)
  requireCertificateFiles(name, url)
  return read.isChosen
    ? connectToPrimary(read, options)
    : { connection: { connectionString: url }, close: async () => {} }
}

/** Files that pg reads by itself for each connection; one that is not there would look like a server that is away. */
export const requireCertificateFiles = (name: string, url: string): void => {
  const parameters = new URLSearchParams(url.split('?')[1])
  for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = parameters.get(parameter)
    if (file === null) continue
    try {
      accessSync(file, constants.R_OK)
    } catch {
      throw new Misconfigured(`The file ${file} of ${parameter} in ${name} cannot be read.`)
    }
  }
}

/** Another server takes the writes now, so whatever still waits for this one waits in vain. */
class Moved extends Error {
  readonly code = 'ECONNRESET'
}

/** pg takes an address for granted, and where it is a number does not put it in place of the name that a certificate must bear. */
const SOME_ADDRESS: DatabaseHost = { host: '192.0.2.1', port: 5432 }

interface ConnectionParts {
  ssl?: boolean | Record<string, unknown>
}

/**
 * Several servers behind one URL, of which one takes writes. pg knows one host only, but lets its socket be made: this
 * one asks who the primary is when it is told to connect, so pools, listeners, jobs and commands need not know. When
 * another server takes over, the sockets to the former one are cut, as they may be silent for ever.
 */
const connectToPrimary = (
  { hosts, urlAt }: DatabaseUrl,
  { onMove, watchEveryMs }: HostOptions = {},
): ConnectionToDatabase => {
  const sockets = new Map<Socket, DatabaseHost>()
  const finder = openPrimaryFinder({
    hosts,
    connectionTo: (host) => ({ connectionString: urlAt(host) }),
    onMove: (primary, former) => {
      for (const [socket, host] of sockets) if (!isSame(host, primary)) socket.destroy(new Moved('The primary moved'))
      onMove?.(`${former.host}:${former.port}`, `${primary.host}:${primary.port}`)
    },
    ...(watchEveryMs === undefined ? {} : { watchEveryMs }),
  })

  const openSocket = (parts: ConnectionParts = {}): Socket => {
    const tls: Record<string, unknown> | null = parts.ssl ? { ...(parts.ssl === true ? {} : parts.ssl) } : null
    if (tls) parts.ssl = tls
    const socket = new Socket()
    const connectTo = socket.connect.bind(socket)
    const connectToFound = async () => {
      const { host, port } = await finder.find()
      if (socket.destroyed) return
      if (tls) Object.assign(tls, { host }, isIP(host) === 0 ? { servername: host } : {})
      sockets.set(socket, { host, port })
      socket.once('close', () => sockets.delete(socket))
      connectTo({ host, port })
    }
    socket.connect = () => {
      // What is written until then is kept, as it is while a name is looked up.
      Object.assign(socket, { connecting: true })
      connectToFound().catch((error: Error) => socket.destroy(error))
      return socket
    }
    return socket
  }

  return {
    connection: { connectionString: urlAt(SOME_ADDRESS), stream: openSocket },
    close: finder.close,
  }
}
