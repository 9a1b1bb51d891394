import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Fires when the server is about to stop. It would wait for connections that Node does not take for idle. */
export const closeConnectionsOnStop = (server: FastifyInstance, closing: AbortController) => {
  const silent = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket))
  server.addHook('preClose', async () => {
    closing.abort()
    for (const socket of silent) socket.destroy()
  })
  server.addHook('onResponse', (request, _reply, done) => {
    if (closing.signal.aborted) request.raw.socket.end()
    done()
  })
}
