import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * A value as it is by now, for what is called later: an answer that comes late, a listener, a timer. Set with the layout, so
 * that whoever acts on what can be seen means what can be seen.
 */
export const useLatest = <T>(value: T): Readonly<RefObject<T>> => {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
