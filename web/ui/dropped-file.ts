import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether a file is held over an element; told when one is dropped there. */
export const useDroppedFile = (
  element: RefObject<HTMLElement | null>,
  onFile: (file: File | undefined) => void,
): boolean => {
  const [isOver, setIsOver] = useState(false)
  const told = useRef(onFile)
  useEffect(() => {
    told.current = onFile
  })
  useEffect(() => {
    const area = element.current
    const listening = new AbortController()
    const hold = (event: DragEvent) => {
      event.preventDefault()
      setIsOver(true)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      told.current(event.dataTransfer?.files[0])
    }
    const { signal } = listening
    area?.addEventListener('dragover', hold, { signal })
    area?.addEventListener('dragleave', () => setIsOver(false), { signal })
    area?.addEventListener('drop', drop, { signal })
    return () => listening.abort()
  }, [element])
  return isOver
}
