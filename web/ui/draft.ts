import { useCallback, useRef, useState } from 'react'

const PREFIX = 'foyer.draft.'

/** What was typed after something had been sent: people go on to the next one before an answer comes. */
export const typedSince = (text: string, sent: string): string =>
  text.startsWith(sent) ? text.slice(sent.length).trimStart() : text

/**
 * A text that is being typed. It is kept in the tab until it is dropped, so a reload, an update of the server or signing
 * in again loses nothing. Where it was sent, what was typed since stays.
 */
export const useDraft = (name: string): [text: string, set: (text: string) => void, drop: (sent?: string) => void] => {
  const key = PREFIX + name
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  const now = useRef(text)
  const set = useCallback(
    (next: string) => {
      now.current = next
      setText(next)
      if (next === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, next)
    },
    [key],
  )
  const drop = useCallback((sent?: string) => set(sent === undefined ? '' : typedSince(now.current, sent)), [set])
  return [text, set, drop]
}
