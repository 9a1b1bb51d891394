import { useLayoutEffect } from 'react'
import { useLatest } from './latest.ts'
import { createScanReader } from './scan-reader.ts'

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** What a hardware scanner reads while nobody is in a field; a field gets it as if it were typed. */
export const useScannedText = (onText: (text: string) => void) => {
  const told = useLatest(onText)
  // With the layout: what is scanned as soon as the view can be seen is heard.
  useLayoutEffect(() => {
    const read = createScanReader()
    const hear = (event: KeyboardEvent) => {
      if (isField(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
      const text = read(event.key, event.timeStamp)
      if (text === null) return
      // Its Enter is not meant for the row that has the focus.
      event.preventDefault()
      event.stopPropagation()
      told.current(text)
    }
    document.addEventListener('keydown', hear, { capture: true })
    return () => document.removeEventListener('keydown', hear, { capture: true })
  }, [told])
}
