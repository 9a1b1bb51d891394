/** One key as it came. */
export interface PressedKey {
  key: string
  code: string
  shiftKey: boolean
  isCapsLock: boolean
}

const PUNCTUATION: Record<string, [string, string]> = {
  Minus: ['-', '_'],
  NumpadSubtract: ['-', '-'],
  Slash: ['/', '?'],
  NumpadDivide: ['/', '/'],
  Period: ['.', '>'],
  Semicolon: [';', ':'],
  Equal: ['=', '+'],
  Space: [' ', ' '],
}

/**
 * What a scanner that types has sent. It presses the keys of an American keyboard, whatever the phone takes them for: so
 * the physical key counts first, and the Shift that it held. What the phone made of it comes after, for scanners that
 * were set up for its language.
 */
export const possibleCodesOfKeys = (keys: readonly PressedKey[]): string[] => {
  const byShift = keys.map((key) => physical(key, key.shiftKey)).join('')
  const byKey = keys.map((key) => physical(key, isShifted(key))).join('')
  const asTyped = keys.map(({ key }) => (key.length === 1 ? key : '')).join('')
  return Array.from(new Set([byKey, byShift, asTyped])).filter((text) => text !== '')
}

/** Without a lock the letter itself says whether it was shifted, if it is the letter of that key. */
const isShifted = ({ key, code, shiftKey, isCapsLock }: PressedKey) => {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (isCapsLock || letter === undefined || key.toUpperCase() !== letter) return shiftKey
  return key === letter
}

const physical = ({ key, code }: PressedKey, isUpper: boolean): string => {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter !== undefined) return isUpper ? letter : letter.toLowerCase()
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  if (digit !== undefined) return digit
  return PUNCTUATION[code]?.[isUpper ? 1 : 0] ?? (code === '' && key.length === 1 ? key : '')
}
