import type { IncomingMessage } from 'node:http'
import { MalformedRequest } from '../http/body.ts'
import { Refusal } from '../kernel/refusals.ts'

class TooLarge extends Refusal {
  readonly status = 413
  constructor() {
    super({ base: ['The body is too large'] })
  }
}

/** The bytes of a request as they arrive, which a signature is about: so many at most, and within this time. */
export const readBodyBytes = (stream: IncomingMessage, { most, ms }: { most: number; ms: number }): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let length = 0
    const end = (finish: () => void) => {
      clearTimeout(tooLate)
      stream.off('data', take).off('end', done).off('close', broken).off('error', broken)
      stream.on('error', () => {})
      finish()
    }
    const take = (piece: Buffer) => {
      length += piece.length
      if (length > most) return end(() => reject(new TooLarge()))
      pieces.push(piece)
    }
    const done = () => end(() => resolve(Buffer.concat(pieces)))
    const broken = () => end(() => reject(new MalformedRequest('The body ended too early')))
    const tooLate = setTimeout(broken, ms)
    stream.on('data', take).on('end', done).on('close', broken).on('error', broken)
  })
