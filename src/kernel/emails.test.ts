import { expect, test } from 'vitest'
import { isEmail, normalizeEmail } from './emails.ts'

test.each([
  'ada@engine.example',
  'ADA@Engine.Example',
  "o'neil+tickets@guests.example",
  'a.b-c_d@sub.1and1.example',
  "!#$%&'*+/=?^_`{|}~-@engine.example",
  'zoe@xn--bcher-kva.example',
  'root@localhost',
  `${'a'.repeat(64)}@engine.example`,
  `ada@${'b'.repeat(63)}.example`,
  `ada@${'b.'.repeat(122)}example`,
])('%j is an address', (address) => {
  expect(isEmail(address)).toBe(true)
})

test.each([
  ['letters that no mail server takes', 'zoë@engine.example'],
  ['a letter of another alphabet', 'оlga@engine.example'],
  ['a domain that is not in ASCII', 'zoe@bücher.example'],
  ['a control character', 'ada\u0000@engine.example'],
  ['an escape character', 'ada@engine\u001b.example'],
  ['a zero-width space', 'ada\u200b@engine.example'],
  ['a zero-width joiner in the domain', 'ada@engine\u200d.example'],
  ['a direction mark', 'ada\u202e@engine.example'],
  ['a line break at the end', 'ada@engine.example\n'],
  ['a second header', 'ada@engine.example\r\nBcc: eve@engine.example'],
  ['a name', 'Ada <ada@engine.example>'],
  ['a list', 'ada@engine.example,eve@engine.example'],
  ['quotes', '"ada b"@engine.example'],
  ['a space', 'ada b@engine.example'],
  ['two at signs', 'ada@eve@engine.example'],
  ['a dot in front', '.ada@engine.example'],
  ['a dot at the end', 'ada.@engine.example'],
  ['two dots', 'ada..b@engine.example'],
  ['an empty label', 'ada@engine..example'],
  ['a dot after the domain', 'ada@engine.example.'],
  ['a hyphen before a label', 'ada@-engine.example'],
  ['a hyphen after a label', 'ada@engine-.example'],
  ['an underscore in the domain', 'ada@my_engine.example'],
  ['an IP address', 'ada@127.0.0.1'],
  ['an address literal', 'ada@[127.0.0.1]'],
  ['no local part', '@engine.example'],
  ['no domain', 'ada@'],
  ['no at sign', 'ada'],
  ['nothing', ''],
  ['a long label', `ada@${'b'.repeat(64)}.example`],
  ['a long local part', `${'a'.repeat(65)}@engine.example`],
  ['more than 255 characters', `ada@${'b.'.repeat(122)}examples`],
])('no address has %s', (_, address) => {
  expect(isEmail(address)).toBe(false)
})

test('a long text is judged at once', () => {
  const start = process.cpuUsage()
  for (const text of ['a.'.repeat(100_000), `a@${'b-'.repeat(126)}`, `a@${'1.'.repeat(126)}1`, '-'.repeat(255)])
    expect(isEmail(text)).toBe(false)
  expect(process.cpuUsage(start).user).toBeLessThan(100_000)
})

test('capitals and the space around an address do not count', () => {
  expect(normalizeEmail('\u00a0 ADA@Engine.EXAMPLE\t')).toBe('ada@engine.example')
})
