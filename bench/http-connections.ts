import net from 'node:net'

export interface Answer {
  status: number
  body: string
}

/** A few connections that are kept alive; whoever finds none free waits, and that is measured with the answer. */
export const openConnections = ({ port, connections }: { port: number; connections: number }) => {
  const waiting: { request: string; answered: PromiseWithResolvers<Answer> }[] = []
  const free: ((next: (typeof waiting)[number]) => void)[] = []

  const serve = () => {
    const socket = net.connect(port, '127.0.0.1').setNoDelay(true)
    let current: (typeof waiting)[number] | null = null
    let text = ''
    const take = (next: (typeof waiting)[number]) => {
      current = next
      socket.write(next.request)
    }
    const rest = () => {
      const next = waiting.shift()
      if (next) take(next)
      else free.push(take)
    }
    // A connection that nobody has used for long is ended by the server, and another one takes its place.
    socket.on('close', () => {
      const at = free.indexOf(take)
      if (at === -1) return
      free.splice(at, 1)
      serve()
    })
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => {
      if (free.includes(take)) return
      text += piece
      const end = text.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
      if (Buffer.byteLength(text) < end + 4 + length) return
      current!.answered.resolve({ status: Number(text.slice(9, 12)), body: text.slice(end + 4) })
      text = ''
      rest()
    })
    socket.on('error', (error) => current?.answered.reject(error))
    socket.on('connect', rest)
  }
  for (let n = 0; n < connections; n++) serve()

  return (request: string): Promise<Answer> => {
    const asked = { request, answered: Promise.withResolvers<Answer>() }
    const take = free.shift()
    if (take) take(asked)
    else waiting.push(asked)
    return asked.answered.promise
  }
}
