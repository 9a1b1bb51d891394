import net from 'node:net'

/** Somebody who talks so slowly, or listens so little, that it is no use waiting for them. */
export interface SlowClient {
  socket: net.Socket
  isCut(): boolean
}

const open = (port: number, firstWords: string): SlowClient => {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(firstWords))
  let isCut = false
  socket.on('error', () => {})
  socket.on('end', () => (isCut = true))
  socket.on('close', () => (isCut = true))
  return { socket, isCut: () => isCut }
}

const dripInto = ({ socket }: SlowClient, text: string, everyMs: number) => {
  const drip = setInterval(() => void (socket.writable && socket.write(text)), everyMs).unref()
  socket.once('close', () => clearInterval(drip))
}

/** Says the head of a request letter by letter. */
export const slowHead = (port: number): SlowClient => {
  const client = open(port, 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Patience: ')
  client.socket.resume()
  dripInto(client, 'x', 1_000)
  return client
}

/** Says the head at once, and the body byte by byte. */
export const slowBody = (port: number, token: string): SlowClient => {
  const head = [
    'POST /scanner/redemption_attempts HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 5000',
  ]
  const client = open(port, `${head.join('\r\n')}\r\n\r\n`)
  client.socket.resume()
  dripInto(client, ' ', 1_000)
  return client
}

/** Asks for a lot and reads none of it. */
export const deafReader = (port: number, token: string): SlowClient => {
  const head = [
    'GET /scanner/events/winter-ball/snapshot HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Accept: application/json',
  ]
  const client = open(port, `${head.join('\r\n')}\r\n\r\n`)
  client.socket.pause()
  return client
}
