import { sessionGate } from '../api/api.ts'
import { type LiveOptions, openLiveStream } from '../api/live.ts'

interface VisibleStreamOptions extends Pick<LiveOptions, 'onMessage' | 'onLine'> {
  /** The last message that is known already, asked whenever the stream is opened. */
  after?: () => string | null
  /** Nobody can see the page any more, so nothing is told for now. */
  onHidden?: () => void
}

/** Follows a stream while somebody can see the page, as a browser has few lines to a server. Answers how to stop. */
export const followWhileVisible = (url: string, { after, onHidden, ...heard }: VisibleStreamOptions): (() => void) => {
  let stream: { close(): void } | null = null
  const follow = () => {
    if (document.visibilityState === 'hidden') {
      stream?.close()
      stream = null
      onHidden?.()
      return
    }
    stream ??= openLiveStream(url, {
      ...heard,
      ...(after && { after: after() }),
      whenSignedOut: () => sessionGate.wait(),
    })
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stream?.close()
  }
}
