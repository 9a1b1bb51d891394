import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')
const FILES = globSync('web/**/{words,*-words}.ts', { cwd: ROOT }).toSorted()

type Words = { [name: string]: string | ((...given: unknown[]) => string) | Words }

/** Every word with its path, functions asked with something to say. */
const entriesOf = (words: Words, at = '', given: unknown = 2): [string, string][] =>
  Object.entries(words).flatMap(([name, word]): [string, string][] => {
    const here = at ? `${at}.${name}` : name
    if (typeof word === 'object') return entriesOf(word, here, given)
    return [[here, typeof word === 'function' ? word(...Array.from({ length: word.length }, () => given)) : word]]
  })

const MANY = {
  en: /\b1 (?:new |more |wheelchair |API )?(?:arrivals|attempts|companions|devices|entries|files|have|kinds|minutes|months|need|pairs|parties|people|places|requests|rows|scans|seats|tasks|tickets|tokens)\b/,
  de: /\b1 (?:neue |weitere )?(?:Ankünfte|Anfragen|Arten|Aufgaben|Begleitungen|Dateien|Einträge|Geräte|Gruppen|Minuten|Monate|Personen|Plätze|Plätzen|Rollstuhlpaare|Scans|Tickets|Tokens|Versuche|Zeilen|fehlen|sind|stimmen|warten)\b|\b(?:sind|waren) 1\b/,
}

/** Said of many alone (all of several parties, a log that is too long, more tickets than there is room, columns by name), or of an amount. */
const NEVER_OF_ONE = new Set([
  'bulk.tellsSome',
  'csvTooManyRows',
  'csvUnknownColumn',
  'exportCut',
  'missingThings.capacity',
  'payment.dueHint',
  'refund.given',
  'tooManyMonths',
])

/** Counts come as numbers to some and as they are shown to others; no word knows both. */
const saidOfOneAsOfMany = (words: Words, language: keyof typeof MANY): string[] => {
  const shown = new Map(entriesOf(words, '', '1'))
  return entriesOf(words, '', 1)
    .filter(([name, word]) => MANY[language].test(word) && MANY[language].test(shown.get(name)!))
    .flatMap(([name]) => (NEVER_OF_ONE.has(name) ? [] : name))
}

const dictionariesOf = async (file: string): Promise<{ en: Words; de: Words }[]> => {
  const module = (await import(path.join(ROOT, file))) as Record<string, unknown>
  return Object.values(module).filter(
    (each): each is { en: Words; de: Words } =>
      typeof each === 'object' && each !== null && 'en' in each && 'de' in each,
  )
}

/** The same in both languages, and rightly so. */
const ALIKE = new Set([
  '2 h',
  '2 min',
  'Apple',
  'Code',
  'Genre',
  'Google',
  'Instagram',
  'Link',
  'Links',
  'Live',
  'Name',
  'Passkeys',
  'Plan',
  'Shop',
  'SoundCloud',
  'Spotify',
  'Stripe',
  'Support',
  'Team',
  'Test',
  'Ticket',
  'Tickets',
  'TikTok',
  'Tokens',
  'Webhooks',
  'Website',
  'YouTube',
  'https://…',
])

test('the catalogues of the fronts are found', async () => {
  const found = await Promise.all(FILES.map(dictionariesOf))
  expect(found.flat().length).toBeGreaterThanOrEqual(3)
})

test.each(FILES)('%s has every word in every language', async (file) => {
  for (const { en, de } of await dictionariesOf(file)) {
    const [english, german] = [entriesOf(en), new Map(entriesOf(de))]
    expect(english.map(([name]) => name).toSorted()).toEqual(Array.from(german.keys()).toSorted())
    expect(english.concat(Array.from(german)).filter(([, word]) => word.trim() === '')).toEqual([])
    const untranslated = english.filter(([name, word]) => german.get(name) === word && !ALIKE.has(word))
    expect(untranslated).toEqual([])
  }
})

test.each(FILES)('%s speaks of one as of one', async (file) => {
  for (const { en, de } of await dictionariesOf(file)) {
    expect(saidOfOneAsOfMany(en, 'en')).toEqual([])
    expect(saidOfOneAsOfMany(de, 'de')).toEqual([])
  }
})
