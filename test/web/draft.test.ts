import { expect, test } from 'vitest'
import { typedSince } from '../../web/ui/draft.ts'

test.each([
  ['Ada', 'Ada', ''],
  ['Ada Grace', 'Ada', 'Grace'],
  ['Grace', 'Ada', 'Grace'],
  ['Ad', 'Ada', 'Ad'],
  ['', 'Ada', ''],
])('of “%s” with “%s” sent “%s” is left', (text, sent, left) => {
  expect(typedSince(text, sent)).toBe(left)
})
