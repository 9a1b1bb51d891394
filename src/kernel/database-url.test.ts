import { expect, test } from 'vitest'
import { readDatabaseUrl } from './database-url.ts'
import { readSettings } from './settings.ts'

const read = (url: string) => readDatabaseUrl('DATABASE_URL', url)

test('a URL of one server is left as it is', () => {
  for (const url of ['postgres://foyer:secret@db/foyer', 'postgresql:///foyer?host=/run/postgresql']) {
    expect(read(url).isChosen).toBe(false)
    expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url)
  }
})

test('of several servers each has its own URL, with everything else the same', () => {
  const { hosts, isChosen, urlAt } = read(
    'postgres://foyer:s%40cret@a.example,b:6432,[2001:db8::1]/foyer?target_session_attrs=read-write&sslmode=require',
  )
  expect(isChosen).toBe(true)
  expect(hosts.map(urlAt)).toEqual([
    'postgres://foyer:s%40cret@a.example:5432/foyer?sslmode=require',
    'postgres://foyer:s%40cret@b:6432/foyer?sslmode=require',
    'postgres://foyer:s%40cret@[2001:db8::1]:5432/foyer?sslmode=require',
  ])
})

test('one server that must take writes is looked at too', () => {
  const { hosts, isChosen } = read('postgres://db/foyer?target_session_attrs=primary')
  expect([isChosen, hosts]).toEqual([true, [{ host: 'db', port: 5432 }]])
})

test.each([
  ['mysql://db/foyer', 'DATABASE_URL must be a URL beginning with postgres:// or postgresql://.'],
  ['postgres://a b/foyer', 'DATABASE_URL is not a URL that can be read.'],
  ['postgres://a,b:99999/foyer', '"b:99999" is none.'],
  ['postgres://a,/foyer', '"" is none.'],
  ['postgres://a,b c/foyer', '"b c" is none.'],
  ['postgres://a,b,a:5432/foyer', 'DATABASE_URL names a:5432 twice.'],
  ['postgres://a,b,c,d,e,f,g,h,i/foyer', 'DATABASE_URL may name 8 hosts at most.'],
  ['postgres://a,b/foyer?target_session_attrs=any', 'because Foyer writes; it says "any".'],
  ['postgres://a/foyer?target_session_attrs=standby', 'because Foyer writes; it says "standby".'],
])('%s is refused', (url, sentence) => {
  const withPassword = url.replace('://', '://foyer:secret@')
  expect(() => readSettings({ DATABASE_URL: withPassword })).toThrow(sentence)
  expect(() => readSettings({ DATABASE_URL: withPassword })).not.toThrow('secret')
})

test.each([
  [{ DATABASE_READ_URL: 'postgres://b/foyer' }, 'which must be set too'],
  [{ DATABASE_URL: 'postgres://a/foyer', DATABASE_READ_URL: 'postgres://b,c/foyer' }, 'must name one host'],
  [{ DATABASE_URL: 'postgres://a/foyer', DATABASE_READ_URL: 'b' }, 'DATABASE_READ_URL must be a URL'],
])('%o is refused', (environment, sentence) => {
  expect(() => readSettings(environment)).toThrow(sentence)
})

test('a standby for reading is understood', () => {
  const environment = { DATABASE_URL: 'postgres://a/foyer', DATABASE_READ_URL: 'postgres://b/foyer' }
  expect(readSettings(environment).databaseReadUrl).toBe('postgres://b/foyer')
})
