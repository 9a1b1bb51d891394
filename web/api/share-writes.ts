type Send = (request: Request) => Promise<Response>

/**
 * The same write, asked for again while it is on its way, is sent once and answered to both: whoever taps twice before the
 * page can show that it is busy means it once.
 */
export const shareWrites = (send: Send): Send => {
  const underWay = new Map<string, Promise<Response>>()

  const sendFirst = async (key: string, request: Request) => {
    const answer = send(request)
    underWay.set(key, answer)
    try {
      return (await answer).clone()
    } finally {
      underWay.delete(key)
    }
  }

  return async (request) => {
    const key = await keyOf(request)
    if (key === null) return send(request)
    const first = underWay.get(key)
    if (!first) return sendFirst(key, request)
    const shared = await first.catch(() => null)
    // One that came to nothing may have been called back.
    return shared ? shared.clone() : sendFirst(key, request)
  }
}

/** What a request says, but for its Idempotency-Key; nothing for what only reads, and for files. */
const keyOf = async (request: Request): Promise<string | null> => {
  if (request.method === 'GET') return null
  const type = request.headers.get('content-type')
  if (type !== null && type !== 'application/json') return null
  return `${request.method} ${request.url}\n${await request.clone().text()}`
}
