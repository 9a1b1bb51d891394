import net from 'node:net'
import { takeTask } from './frame.ts'

/** The same request again and again, over connections that are kept alive. */
export interface FeedLoad {
  port: number
  connections: number
  count: number
  /** The whole head, up to its empty line. */
  request: string
  status: number
}

export interface FeedOutcome {
  perSecond: number
  /** Milliseconds, one for each request. */
  times: number[]
}

const load = async ({ port, connections, count, request, status }: FeedLoad): Promise<FeedOutcome> => {
  const times: number[] = []
  let left = count

  const talk = () =>
    new Promise<void>((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1').setNoDelay(true)
      let expected: number | null = null
      let received = 0
      let asked = 0
      const ask = () => {
        if (left-- <= 0) return resolve(void socket.destroy())
        asked = performance.now()
        socket.write(request)
      }
      socket.on('connect', ask)
      socket.on('error', reject)
      socket.on('data', (piece) => {
        if (expected === null) {
          const end = piece.indexOf('\r\n\r\n')
          const head = piece.toString('latin1', 0, end)
          if (Number(head.slice(9, 12)) !== status) return reject(new Error(head))
          expected = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
        }
        received += piece.length
        if (received < expected) return
        times.push(performance.now() - asked)
        expected = null
        received = 0
        ask()
      })
    })

  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, talk))
  return { perSecond: times.length / ((performance.now() - started) / 1000), times }
}

await takeTask(load)
