import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'

/** The least a server of this kind can do: an address and no work behind it. */
const server = Fastify({ logger: false })
server.get('/*', async () => '')
await server.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.server.address() as AddressInfo
process.send!({ port })
