export interface LiveMessage {
  event: string
  id: string
  data: unknown
}

export interface LiveOptions {
  fetch?: (input: string, init: RequestInit) => Promise<Response>
  onMessage: (message: LiveMessage) => void
  /** The last message that is known already: what came after it is told first. */
  after?: string | null
  /** The line came or went; what was missed meanwhile is told when it comes back. */
  onLine?: (isOpen: boolean) => void
  /** The session has ended; the stream goes on when this resolves. */
  whenSignedOut?: () => Promise<void>
}

/** The server says something every ten seconds; three times that without a word, and the line is dead. */
const SILENCE_MS = 30_000
const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 30_000

/**
 * Listens to a stream of server-sent events until it is closed. Unlike EventSource it survives refusals: it waits as
 * long as it is told, waits for somebody who was signed out, and always goes on after the last message it heard.
 */
export const openLiveStream = (url: string, options: LiveOptions): { close(): void } => {
  const closing = new AbortController()
  void listen(url, options, closing.signal)
  return { close: () => closing.abort() }
}

const listen = async (url: string, options: LiveOptions, closed: AbortSignal) => {
  let lastId: string | null = options.after ?? null
  let failures = 0
  while (!closed.aborted) {
    const line = new AbortController()
    const cut = () => line.abort()
    closed.addEventListener('abort', cut, { once: true })
    let waitMs = backOff(failures++)
    try {
      const headers = { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) }
      const response = await (options.fetch ?? fetch)(url, { headers, signal: line.signal })
      if (response.ok && response.body) {
        failures = 0
        // Whatever it took to get through: a line that breaks later is tried anew at once.
        waitMs = backOff(failures)
        options.onLine?.(true)
        for await (const message of readMessages(response.body, cut)) {
          lastId = message.id
          options.onMessage(message)
        }
      } else if (response.status === 401) {
        await options.whenSignedOut?.()
      } else {
        waitMs = Math.max(waitMs, Number(response.headers.get('retry-after') ?? 0) * 1000)
      }
    } catch {
      // The line broke, or was silent for too long: the loop tries again.
    }
    closed.removeEventListener('abort', cut)
    if (closed.aborted) return
    options.onLine?.(false)
    await sleep(waitMs, closed)
  }
}

/** Not all of those who lost the server come back in the same moment. */
const backOff = (failures: number) => Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** failures) * (0.5 + Math.random() / 2)

async function* readMessages(body: ReadableStream<Uint8Array>, onSilence: () => void): AsyncGenerator<LiveMessage> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const timer = setTimeout(onSilence, SILENCE_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split(/\r?\n\r?\n/)
    text = blocks.pop()!
    for (const block of blocks) {
      const message = readMessage(block)
      if (message) yield message
    }
  }
}

/** A block without data is a comment or a heartbeat. */
const readMessage = (block: string): LiveMessage | null => {
  const fields = new Map<string, string>()
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? []
    if (name) fields.set(name, name === 'data' && fields.has(name) ? `${fields.get(name)}\n${value}` : value!)
  }
  const data = fields.get('data')
  return data === undefined
    ? null
    : { event: fields.get('event') ?? 'message', id: fields.get('id') ?? '', data: JSON.parse(data) }
}

const sleep = (ms: number, closed: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    closed.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
