import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEmail } from '../kernel/emails.ts'
import { parseAddress } from './address.ts'

/** Texts that nearly are addresses, so that both answers are common. */
const PIECES = ['a', 'Z', '7', '.', '-', '+', '_', "'", '@', 'ab', 'xn--', '.example', 'ë', '\u200b', '\u0000', ' ']
const nearly = fc.oneof(
  fc.emailAddress(),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 6 }))
    .map(([local, label, labels]) => `${'a'.repeat(local)}@${Array(labels).fill('b'.repeat(label)).join('.')}`),
)

test('whatever the house accepts as an address is one that mail is sent to, as it is', () => {
  const seen = { accepted: 0, refused: 0 }
  const property = fc.property(nearly, (text) => {
    seen[isEmail(text) ? 'accepted' : 'refused'] += 1
    if (isEmail(text)) expect(parseAddress(text)).toBe(text)
  })
  fc.assert(property, { seed: 1, numRuns: 3_000 })
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(300)
})
