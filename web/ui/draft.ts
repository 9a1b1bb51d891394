import { useCallback, useRef, useState } from 'react'

const PREFIX = 'foyer.draft.'

/** What was typed after something had been sent: people go on to the next one before an answer comes. */
export const typedSince = (text: string, sent: string): string =>
  text.startsWith(sent) ? text.slice(sent.length).trimStart() : text

/** Of all that was typed and not sent nothing is left: in this tab somebody else may go on, or somebody for another account. */
export const forgetTypedTexts = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith('foyer.')) sessionStorage.removeItem(key)
}

/** Keeps a text in the tab for a field that is to come. */
export const keepDraft = (name: string, text: string): void => {
  if (text === '') sessionStorage.removeItem(PREFIX + name)
  else sessionStorage.setItem(PREFIX + name, text)
}

/**
 * A text that is being typed. It is kept in the tab until it is dropped, so a reload, an update of the server or signing
 * in again loses nothing. Where it was sent, what was typed since stays.
 */
export const useDraft = (name: string): [text: string, set: (text: string) => void, drop: (sent?: string) => void] => {
  const [text, setText] = useState(() => sessionStorage.getItem(PREFIX + name) ?? '')
  const now = useRef(text)
  const set = useCallback(
    (next: string) => {
      now.current = next
      setText(next)
      keepDraft(name, next)
    },
    [name],
  )
  const drop = useCallback((sent?: string) => set(sent === undefined ? '' : typedSince(now.current, sent)), [set])
  return [text, set, drop]
}
