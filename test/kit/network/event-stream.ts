export interface ServerEvent {
  id: string
  event: string
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any
}

/** Listens to server-sent events; `next` waits for the first one that was not taken yet. */
export const openEventStream = async (url: string, headers: Record<string, string>) => {
  const controller = new AbortController()
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: controller.signal })
  const waiting: ServerEvent[] = []
  let wake = () => {}
  let hasEnded = false

  const read = async () => {
    let text = ''
    try {
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
        text += part
        const messages = text.split('\n\n')
        text = messages.pop()!
        for (const message of messages) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(message)?.[1]
          if (field('event'))
            waiting.push({ id: field('id')!, event: field('event')!, data: JSON.parse(field('data')!) })
        }
        wake()
      }
    } catch (error) {
      if ((error as Error).name !== 'AbortError') throw error
    } finally {
      hasEnded = true
      wake()
    }
  }
  const reading = read()

  /** Without a time of its own it only ends what never comes. */
  const next = async (withinMs = 30_000): Promise<ServerEvent> => {
    const timeout = AbortSignal.timeout(withinMs)
    while (waiting.length === 0) {
      if (hasEnded) throw new Error('The stream has ended')
      if (timeout.aborted) throw new Error(`Nothing was said within ${withinMs} ms`)
      await new Promise<void>((resolve) => {
        wake = resolve
        timeout.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    return waiting.shift()!
  }

  return {
    status: response.status,
    headers: response.headers,
    next,
    /** What has been said and not been taken. */
    waiting,
    ended: () => reading,
    close: async () => {
      controller.abort()
      await reading
    },
  }
}
