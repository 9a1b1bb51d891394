import { expect, test } from 'vitest'
import { readShardSettings } from './shard-settings.ts'

test('shards are names with addresses, and a comma within an address belongs to it', () => {
  expect(readShardSettings(undefined)).toEqual([])
  expect(readShardSettings(' two=postgres://a:1,b:2/foyer , three-3=postgresql://c/foyer')).toEqual([
    { name: 'two', url: 'postgres://a:1,b:2/foyer' },
    { name: 'three-3', url: 'postgresql://c/foyer' },
  ])
})

test.each(['postgres://a/foyer', 'main=postgres://a/foyer', 'Two=postgres://a/foyer', 'two=http://a/foyer', 'two='])(
  '%s is refused in one sentence, without the address',
  (text) => {
    expect(() => readShardSettings(text)).toThrow(/^FOYER_SHARDS must .*\.$/)
    expect(() => readShardSettings(text)).not.toThrow('//a')
  },
)

test('a name stands for one server', () => {
  expect(() => readShardSettings('two=postgres://a/x,two=postgres://b/x')).toThrow('FOYER_SHARDS names "two" twice.')
})

test('several hosts of one server are held to the same rules as those of DATABASE_URL', () => {
  const url = 'postgres://foyer:secret@a:1,b:2/foyer?target_session_attrs=read-write'
  expect(readShardSettings(`two=${url},three=postgres://c/foyer`)).toEqual([
    { name: 'two', url },
    { name: 'three', url: 'postgres://c/foyer' },
  ])
  const sayTo = (text: string) => {
    try {
      return readShardSettings(text)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(sayTo('two=postgres://foyer:secret@a:1,a:1/foyer')).toBe('FOYER_SHARDS for "two" names a:1 twice.')
  expect(sayTo('two=postgres://foyer:secret@a,b/foyer?target_session_attrs=any')).toContain(
    'FOYER_SHARDS for "two" must say target_session_attrs=read-write or nothing about it',
  )
  expect(sayTo('two=postgres://foyer:secret@a,b:99999/foyer')).toMatch(/^FOYER_SHARDS for "two" must .*\.$/)
  expect(sayTo('two=postgres://foyer:secret@a,b:99999/foyer')).not.toContain('secret')
})
