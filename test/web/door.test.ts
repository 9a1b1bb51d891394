import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fold } from '../../web/ui/fold.ts'
import { type PressedKey, possibleCodesOfKeys } from '../../web/door/scan/key-readings.ts'

const ID = '7Jx3fYkq9TzW2bVn5sLcRd'

/** What a browser reports when a scanner presses the keys of an American keyboard. */
const press = (text: string, keyOf: (letter: string, isShifted: boolean) => string, isCapsLock = false): PressedKey[] =>
  Array.from(text, (letter) => {
    const isLetter = /[a-z]/i.test(letter)
    const shiftKey = isLetter && letter === letter.toUpperCase()
    return {
      code: isLetter ? `Key${letter.toUpperCase()}` : /\d/.test(letter) ? `Digit${letter}` : 'Minus',
      key: keyOf(letter, shiftKey),
      shiftKey,
      isCapsLock,
    }
  })

const FRENCH: Record<string, string> = { q: 'a', a: 'q', w: 'z', z: 'w', '1': '&', '2': 'é', '7': 'è', '9': 'ç' }
const french = (letter: string, isShifted: boolean) => {
  const typed = FRENCH[letter.toLowerCase()] ?? letter
  return isShifted ? typed.toUpperCase() : typed
}
const swapped = (letter: string) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())

test.each([
  ['an American keyboard', press(ID, (letter) => letter)],
  ['a French keyboard', press(ID, french)],
  ['a keyboard whose capitals are locked', press(ID, swapped, true)],
])('a scanner that types into %s is read by its keys', (_name, keys) => {
  expect(possibleCodesOfKeys(keys)[0]).toBe(ID)
})

test('a scanner that does not hold Shift, or was set up for the language of the phone, is understood too', () => {
  const unshifted = press(ID, (letter) => letter).map((key) => ({ ...key, shiftKey: false }))
  expect(possibleCodesOfKeys(unshifted)).toContain(ID)
  const secretlyLocked = press(ID, swapped)
  expect(possibleCodesOfKeys(secretlyLocked)).toContain(ID)
  const setUp = press(ID, french).map((key, n) => ({ ...key, key: ID[n]! }))
  expect(possibleCodesOfKeys(setUp)).toContain(ID)
})

test('names are found without their accents', () => {
  expect(['Zoë', 'Bjørn Ångström', 'Ayşe Yılmaz', 'Łukasz', 'Straße', 'Æsa'].map(fold)).toEqual([
    'zoe',
    'bjorn angstrom',
    'ayse yilmaz',
    'lukasz',
    'strasse',
    'aesa',
  ])
})

const css = readFileSync(path.join(import.meta.dirname, '../../web/door/frame/verdict.css'), 'utf8')

const faceOf = (selector: string) => {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0]!
  return { ground: /background: (#\w+)/.exec(block)?.[1], text: /\n {2}color: (#\w+)/.exec(block)?.[1] }
}

const luminance = (colour: string) => {
  const hex = colour.length === 4 ? colour.replaceAll(/[\da-f]/gi, '$&$&') : colour
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string) => {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

test('letting in and refusing are told apart in greyscale, and their words are read on every ground', () => {
  const letting = ['.lets-in', `.verdict[data-verdict='in_note']`].map(faceOf)
  const refusing = [
    '.refuses',
    ...['already', 'wrong_event', 'unpaid', 'unknown'].map((name) => `.verdict[data-verdict='${name}']`),
  ]
    .map(faceOf)
    .map(({ ground, text }) => ({ ground: ground!, text: text ?? '#fff' }))
  for (const { ground, text } of letting) {
    expect(contrast(ground!, text!)).toBeGreaterThanOrEqual(4.5)
    for (const refused of refusing) expect(contrast(ground!, refused.ground)).toBeGreaterThanOrEqual(3)
  }
  for (const { ground, text } of refusing) expect(contrast(ground, text)).toBeGreaterThanOrEqual(4.5)
})
