import { expect, test } from 'vitest'
import { languageOfRequest, preferredLanguage, varyWithLanguage } from './request-language.ts'

const GERMAN = { language: 'de' }
const ENGLISH = { language: 'en' }

const asked = (account: { language: string } | null, header: string | undefined) =>
  languageOfRequest(account, header === undefined ? {} : { 'accept-language': header })

test.each([
  ['de', 'de'],
  ['de-DE,de;q=0.9,en;q=0.8', 'de'],
  ['de-CH', 'de'],
  ['DE-at', 'de'],
  ['en-US,en;q=0.5', 'en'],
  ['en;q=0.3, de;q=0.7', 'de'],
  ['fr-FR,fr;q=0.9,de;q=0.2', 'de'],
  ['en;q=0, *;q=0.5', 'de'],
  ['de;q=0.4, *;q=0.5', 'en'],
])('a browser that asks for %s reads %s wherever it is', (header, language) => {
  expect(asked(GERMAN, header)).toBe(language)
  expect(asked(ENGLISH, header)).toBe(language)
})

test.each([
  [undefined],
  ['*'],
  [''],
  ['fr'],
  ['en, de'],
  ['de;q=0.5, en-GB;q=0.5'],
  ['den, end'],
  ['de;q=0'],
  ['en;q=banana, de;q='],
  [';;;,,,=====q'],
  ['\u0000\uFFFF'],
])('a browser that asks for %j reads the language of the venue', (header) => {
  expect(asked(GERMAN, header)).toBe('de')
  expect(asked(ENGLISH, header)).toBe('en')
})

test('where no venue is known, and where a venue speaks neither, it is English', () => {
  expect(asked(null, undefined)).toBe('en')
  expect(asked(null, 'de')).toBe('de')
  expect(asked({ language: 'fr' }, '*')).toBe('en')
  expect(asked({ language: 'fr' }, 'de')).toBe('de')
})

test('of a header of many kilobytes only the beginning is read', () => {
  const long = `de,${'x-'.repeat(4_000)}`
  expect(preferredLanguage(long)).toBe('de')
  expect(preferredLanguage(`${'fr,'.repeat(3_000)}de`)).toBe(null)
})

test('caches are told of the language once', () => {
  expect(varyWithLanguage(undefined)).toBe('Accept-Language')
  expect(varyWithLanguage('Accept')).toBe('Accept, Accept-Language')
  expect(varyWithLanguage('Accept, accept-language')).toBe('Accept, accept-language')
})
