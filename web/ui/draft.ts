import { useCallback, useState } from 'react'

const PREFIX = 'foyer.draft.'

/**
 * A text that is being typed. It is kept in the tab until it is dropped, so a reload, an update of the server or signing
 * in again loses nothing.
 */
export const useDraft = (name: string): [text: string, set: (text: string) => void, drop: () => void] => {
  const key = PREFIX + name
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  const set = useCallback(
    (next: string) => {
      setText(next)
      if (next === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, next)
    },
    [key],
  )
  return [text, set, useCallback(() => set(''), [set])]
}
