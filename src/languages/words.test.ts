import { expect, test } from 'vitest'
import { defineWords, plural, languageOrFallback } from './rules.ts'
import { translate } from './translate.ts'

const WORDS = defineWords(
  {
    closed: 'The guest list is closed',
    tooLong: (most: number) => `is too long (maximum is ${most} characters)`,
    swapped: (guest: string, seat: string) => `${guest} sits on ${seat}`,
  },
  {
    closed: 'Die Gästeliste ist geschlossen',
    tooLong: (most) => `ist zu lang (höchstens ${most} Zeichen)`,
    swapped: (guest, seat) => `Auf ${seat} sitzt ${guest}`,
  },
)

test('a sentence that programs know in English is said in the language of the page', () => {
  expect(translate(WORDS, 'The guest list is closed', 'de')).toBe('Die Gästeliste ist geschlossen')
  expect(translate(WORDS, 'The guest list is closed', 'en')).toBe('The guest list is closed')
  expect(translate(WORDS, 'is too long (maximum is 255 characters)', 'de')).toBe('ist zu lang (höchstens 255 Zeichen)')
  expect(translate(WORDS, 'Ada sits on A-1', 'de')).toBe('Auf A-1 sitzt Ada')
})

test('what no dictionary knows stays as it is', () => {
  expect(translate(WORDS, 'Something else', 'de')).toBe('Something else')
  expect(translate(WORDS, 'The guest list is closed.', 'de')).toBe('The guest list is closed.')
})

test('a word that is missing, or takes something else, does not compile', () => {
  // @ts-expect-error: "closed" is missing
  defineWords({ open: 'Open', closed: 'Closed' }, { open: 'Offen' })
  // @ts-expect-error: the number cannot be a text
  defineWords({ left: (count: number) => `${count} left` }, { left: (count: string) => `noch ${count.trim()}` })
  // @ts-expect-error: a sentence stays a sentence
  defineWords({ open: 'Open' }, { open: () => 'Offen' })
})

test('numbers choose their form by the rules of the language', () => {
  const forms = { one: 'ticket', other: 'tickets' }
  expect([0, 1, 2].map((count) => plural('en', count, forms))).toEqual(['tickets', 'ticket', 'tickets'])
  expect(plural('de', 1, { one: 'Karte', other: 'Karten' })).toBe('Karte')
})

test('what is no language of Foyer is English', () => {
  expect(['de', 'en', 'fr', '', null, undefined].map(languageOrFallback)).toEqual(['de', 'en', 'en', 'en', 'en', 'en'])
})
