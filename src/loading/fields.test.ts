import { expect, test } from 'vitest'
import type { z } from 'zod'
import { FileFault, readWithSchema } from './fault.ts'
import {
  calendarDate,
  boundedNumber,
  email,
  image,
  list,
  money,
  optional,
  optionalText,
  text,
  strictObject,
  timeZone,
  timestamp,
  webUrl,
  wholeNumber,
} from './fields.ts'

const TERMS = { now: new Date('2026-03-01T23:30:00Z'), currency: 'EUR', timeZone: 'Europe/Berlin' }

const read = <T>(field: z.ZodType<T>, value: unknown): T | string => {
  try {
    return readWithSchema(strictObject({ it: field }), { it: value }, []).it
  } catch (error) {
    if (error instanceof FileFault) return error.message
    throw error
  }
}

test('money is a decimal string in the account’s currency, read as cents', () => {
  expect(read(money(TERMS), '25.00')).toBe(2500)
  expect(read(money(TERMS), '0.5')).toBe(50)
  expect(read(money({ ...TERMS, currency: 'JPY' }), '1200')).toBe(1200)
  expect(read(money({ ...TERMS, currency: 'JPY' }), '12.00')).toBe('it: is not an amount of JPY.')
  for (const value of ['25,00', '1.005', '', 'free', 25, null])
    expect(read(money(TERMS), value)).toBe('it: is not an amount of EUR.')
  expect(read(money(TERMS), '-1.00')).toBe('it: is less than 0.')
  expect(read(money(TERMS), undefined)).toBe('it: is missing.')
})

test('a timestamp is a moment or a duration from now', () => {
  expect(read(timestamp(TERMS), '+P1D')).toEqual(new Date('2026-03-02T23:30:00Z'))
  expect(read(timestamp(TERMS), '2026-03-01T00:00:00+01:00')).toEqual(new Date('2026-02-28T23:00:00Z'))
  const sentence = 'it: is neither a time like "2030-01-31T20:00:00Z" nor a duration from now like "+P30D" or "-PT2H".'
  for (const value of ['tomorrow', '2026-03-01', 'P1D', 1700000000, null])
    expect(read(timestamp(TERMS), value)).toBe(sentence)
})

test('a day from now is counted on the account’s own calendar', () => {
  expect(read(calendarDate(TERMS), '+P14D')).toBe('2026-03-16')
  expect(read(calendarDate({ ...TERMS, timeZone: 'America/New_York' }), '+P14D')).toBe('2026-03-15')
  expect(read(calendarDate(TERMS), '2026-12-24')).toBe('2026-12-24')
  expect(read(calendarDate(TERMS), '2026-02-30')).toBe(
    'it: is neither a date like "2030-01-31" nor a duration from now like "+P14D".',
  )
})

test('a time zone is one of the IANA database', () => {
  expect(read(timeZone(), 'Europe/Berlin')).toBe('Europe/Berlin')
  expect(read(timeZone(), 'UTC')).toBe('UTC')
  for (const value of ['Europe/Atlantis', '+01:00', ''])
    expect(read(timeZone(), value)).toBe('it: is not a time zone like "Europe/Berlin".')
})

test('an address is kept in lower case', () => {
  expect(read(email(), ' Olga@Neue-Halle.example ')).toBe('olga@neue-halle.example')
  for (const value of ['olga', 'a b@c.example', '']) expect(read(email(), value)).toBe('it: is not an email address.')
})

test('texts are trimmed, never blank and storable', () => {
  expect(read(text(), '  Zoë ')).toBe('Zoë')
  expect(read(text(), ' ')).toBe('it: is blank.')
  expect(read(text(3), '王小明')).toBe('王小明')
  expect(read(text(3), 'Zoë!')).toBe('it: has more than 3 characters.')
  expect(read(text(), 'a\0b')).toBe('it: has a character that cannot be stored.')
  expect(read(text(), 'a\ud800')).toBe('it: has a character that cannot be stored.')
  expect(read(text(), 7)).toBe('it: is not a text.')
  expect(read(optionalText(), ' ')).toBeNull()
  expect(read(optional(text()), null)).toBeNull()
})

test('numbers are whole where they count, and within their bounds', () => {
  expect(read(wholeNumber({ least: 0 }), 3)).toBe(3)
  expect(read(wholeNumber({ least: 0 }), -1)).toBe('it: is less than 0.')
  expect(read(wholeNumber(), 2 ** 31)).toBe('it: is more than 2147483647.')
  expect(read(wholeNumber(), 1.5)).toBe('it: is not a whole number.')
  expect(read(wholeNumber(), '3')).toBe('it: is not a number.')
  expect(read(boundedNumber({ least: -90, most: 90 }), 90.5)).toBe('it: is more than 90.')
})

test('links lead to the web, and pictures come by https or from beside the file', () => {
  expect(read(webUrl(), 'https://lowtides.example')).toBe('https://lowtides.example')
  for (const value of ['javascript:alert(1)', '@lowtides', ''])
    expect(read(webUrl(), value)).toBe('it: is not a web address.')
  expect(read(image(), 'https://pictures.example/a.jpg')).toBe('https://pictures.example/a.jpg')
  for (const value of ['http://pictures.example/a.jpg', 'data:image/png;base64,AA', ''])
    expect(read(image(), value)).toBe('it: is neither an https URL nor a path.')
  expect(read(image(), 'pictures/a.jpg')).toBe('pictures/a.jpg')
})

test('a list names the first of its things that comes twice', () => {
  expect(read(list(strictObject({ key: text() }), 'key'), [{ key: 'a' }, { key: 'b' }, { key: 'a ' }])).toBe(
    'it[2].key: "a" is given twice.',
  )
  expect(read(list(text(), 'itself'), ['a', 'a'])).toBe('it[1]: "a" is given twice.')
  expect(read(list(text()), ['a', 'a'])).toEqual(['a', 'a'])
  expect(read(list(text()), undefined)).toEqual([])
  expect(read(list(text()), 'a')).toBe('it: is not a list.')
})

test('an unknown key is told before what is missing because of it, on one line whatever it is', () => {
  const person = strictObject({ name: text() })
  expect(read(person, { nmae: 'Olga' })).toBe('it.nmae: is an unknown key.')
  expect(read(person, { 'a\nb': 1, name: 'Olga' })).toBe('it["a\\nb"]: is an unknown key.')
  expect(read(person, {})).toBe('it.name: is missing.')
  expect(read(person, [])).toBe('it: is not an object.')
})
