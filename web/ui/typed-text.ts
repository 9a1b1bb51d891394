import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

const WRITE_MS = 250

/**
 * What is typed is found at once, and stands in the address a moment later. `stored` is what the address says, `write`
 * puts a text there.
 */
export const useTypedText = (stored: string, write: (text: string) => void) => {
  const router = useRouter()
  const [text, setText] = useState(stored)
  /** What the address says and then what is on its way there, the newest last: on a slow machine several at once. */
  const written = useRef([stored])
  const writing = useRef(write)
  useEffect(() => {
    writing.current = write
  })
  useEffect(() => {
    const at = written.current.lastIndexOf(stored)
    if (at >= 0) {
      written.current = written.current.slice(at)
      return
    }
    // Somebody went back, or followed a link.
    written.current = [stored]
    setText(stored)
  }, [stored])
  useEffect(() => {
    if (text === written.current.at(-1)) return undefined
    const { pathname } = router.latestLocation
    const timer = setTimeout(() => {
      // Whoever is on the way to another view is not called back.
      if (router.latestLocation.pathname !== pathname) return
      written.current.push(text)
      writing.current(text)
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [text, router])
  return [text, setText] as const
}
