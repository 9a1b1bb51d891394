import { type PressedKey, possibleCodesOfKeys } from './key-readings.ts'

/** A person is slower. */
const SCANNER_MS = 60
const LEAST = 8
/** Some scanners send no Enter: what has the length of a code or an ID is one when nothing follows. */
const SILENCE_MS = 150

/** What stood in a field before the scanner typed into it stands there again. */
const restoreField = (target: EventTarget | null, before: string | null) => {
  if (before === null || !(target instanceof HTMLInputElement)) return
  target.value = before
  target.dispatchEvent(new Event('input', { bubbles: true }))
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')

/** Listens for scanners that type, wherever the focus is. */
export const listenForKeyboardScanner = (onRead: (readings: string[]) => void): (() => void) => {
  let keys: PressedKey[] = []
  let lastAt = 0
  let isSlow = false
  /** What the field held before the first of the keys. */
  let before: string | null = null
  let silence: ReturnType<typeof setTimeout> | undefined

  const finish = () => {
    clearTimeout(silence)
    const readings = possibleCodesOfKeys(keys)
    keys = []
    return readings
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return
    const pause = event.timeStamp - lastAt
    if (event.key === 'Enter' || event.key === 'Tab') {
      // In a field only what a person could not have typed is a scan.
      const isScan = keys.length >= LEAST && pause <= 1_000 && !(isField(event.target) && isSlow)
      const readings = finish()
      if (!isScan) return
      event.preventDefault()
      event.stopPropagation()
      restoreField(event.target, before)
      onRead(readings)
      return
    }
    if (event.key.length !== 1 && event.key !== 'Dead' && event.key !== 'Unidentified') return
    lastAt = event.timeStamp
    if (keys.length === 0 || pause > 1_000) {
      keys = []
      isSlow = false
      before = event.target instanceof HTMLInputElement ? event.target.value : null
    } else if (pause > SCANNER_MS) isSlow = true
    const { key, code, shiftKey } = event
    keys.push({ key, code, shiftKey, isCapsLock: event.getModifierState('CapsLock') })
    clearTimeout(silence)
    if (!isSlow && !isField(event.target) && (keys.length === 22 || keys.length === 8 || keys.length === 9)) {
      silence = setTimeout(() => onRead(finish()), SILENCE_MS)
    }
  }
  addEventListener('keydown', onKey, { capture: true })
  return () => removeEventListener('keydown', onKey, { capture: true })
}
