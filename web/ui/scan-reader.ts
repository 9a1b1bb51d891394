/** A person never types this fast, a scanner always does. */
const BETWEEN_KEYS_MS = 50
const LETTERS_MIN = 8

/** Tells a scanner that types from a person: many letters at once, then Enter. */
export const createScanReader = () => {
  let text = ''
  let lastAt = Number.NEGATIVE_INFINITY
  return (key: string, at: number): string | null => {
    if (at - lastAt > BETWEEN_KEYS_MS) text = ''
    if (key === 'Shift') return null
    lastAt = at
    if (key.length === 1) {
      text += key
      return null
    }
    const scanned = key === 'Enter' && text.length >= LETTERS_MIN ? text : null
    text = ''
    return scanned
  }
}
