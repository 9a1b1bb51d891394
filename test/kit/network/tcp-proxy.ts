import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A wire between two ends that can be made bad in the ways real ones are. */
export interface TcpProxy {
  port: number
  /** How many connections are open now. */
  open(): number
  /** Every piece takes so long from one end to the other; 0 is a good wire again. */
  slowDown(ms: number): void
  /** Takes connections and bytes, and hands nothing on: nobody is told anything. */
  swallow(): void
  /** Ends every connection in good order, as a proxy that is restarted does. */
  cut(): void
  /** Ends every connection without good order. */
  reset(): void
  /** Ends what is open and whatever comes. */
  refuse(): void
  /** Ends what is open, and answers whatever comes with something that no protocol knows. */
  babble(): void
  /** A good wire again for whatever comes. What was swallowed stays lost, and those connections stay dead. */
  mend(): void
  close(): Promise<void>
}

type Mood = 'good' | 'swallowing' | 'refusing' | 'babbling'

const NONSENSE = Buffer.from('\u0000banana 9.9 \u00ff\r\n\r\nE;;;\r\n'.repeat(20))

interface Wire {
  ends: [net.Socket, net.Socket]
  /** Once something was swallowed, the two ends no longer agree on where they are. */
  isDead: boolean
}

/** Where to: a port of this machine, or the path of a socket. */
export const openTcpProxy = async (target: net.NetConnectOpts): Promise<TcpProxy> => {
  const wires = new Set<Wire>()
  let mood: Mood = 'good'
  let pauseMs = 0

  const carry = (wire: Wire, from: net.Socket, to: net.Socket) => {
    let last: Promise<void> = Promise.resolve()
    const handOn = async (chunk: Buffer, ms: number) => {
      if (ms > 0) await delay(ms)
      if (wire.isDead || to.destroyed) return
      if (!to.write(chunk)) {
        from.pause()
        to.once('drain', () => from.resume())
      }
    }
    from.on('data', (chunk: Buffer) => {
      if (mood === 'swallowing') wire.isDead = true
      const ms = pauseMs
      // On a good wire nothing waits for a turn of its own.
      last = last.then(() => handOn(chunk, ms))
    })
    from.on('end', () => void last.then(() => to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      wires.delete(wire)
      if (!wire.isDead) void last.then(() => to.destroy())
      else to.destroy()
    })
  }

  const nears = new Set<net.Socket>()
  const server = net.createServer((near) => {
    nears.add(near.once('close', () => nears.delete(near)).on('error', () => {}))
    if (mood === 'refusing') near.resetAndDestroy()
    if (mood === 'babbling') near.resume().end(NONSENSE)
    if (mood === 'refusing' || mood === 'babbling') return
    const far = net.connect(target)
    const wire: Wire = { ends: [near, far], isDead: mood === 'swallowing' }
    wires.add(wire)
    carry(wire, near, far)
    carry(wire, far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const endAll = (end: (near: net.Socket, far: net.Socket) => void) => {
    for (const wire of wires) {
      wires.delete(wire)
      end(...wire.ends)
    }
  }
  const destroyAll = () =>
    endAll((near, far) => {
      near.destroy()
      far.destroy()
    })

  return {
    port: (server.address() as net.AddressInfo).port,
    open: () => wires.size,
    slowDown: (ms) => void (pauseMs = ms),
    swallow: () => void (mood = 'swallowing'),
    cut: () =>
      endAll((near, far) => {
        near.end()
        far.end()
      }),
    reset: () =>
      endAll((near, far) => {
        near.resetAndDestroy()
        far.destroy()
      }),
    refuse: () => {
      mood = 'refusing'
      destroyAll()
    },
    babble: () => {
      mood = 'babbling'
      destroyAll()
    },
    mend: () => void (mood = 'good'),
    close: async () => {
      destroyAll()
      for (const near of nears) near.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
