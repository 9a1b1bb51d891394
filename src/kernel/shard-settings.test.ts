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
