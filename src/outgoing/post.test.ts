import { expect, test } from 'vitest'
import { postToPublicUrl } from './post.ts'
import { isPublicAddress, isCallableUrl } from './public-address.ts'

const open = { reachesPrivateNetworks: false }

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'not an address',
])('%s is nobody’s public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  'http://push.example/x',
  'https://127.0.0.1/x',
  'https://[::1]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://10.1.2.3/x',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00::1]/x',
  'https://localhost/x',
  'https://foyer.localhost/x',
  'https://0x7f000001/x',
  'https://2130706433/x',
  'https://printer.local/x',
  'https://metadata.google.internal/x',
  'https://metadata.google.internal./x',
  'https://localhost./x',
  'https://intranet/x',
  'https://user:secret@push.example/x',
  'ftp://push.example/x',
  'nonsense',
])('%s is not called', (address) => {
  expect(isCallableUrl(open, address)).toBe(false)
})

test.each(['https://push.example/x', 'https://8.8.8.8/x', 'https://[2606:4700::1111]/x'])(
  '%s may be called',
  (address) => {
    expect(isCallableUrl(open, address)).toBe(true)
  },
)

test('a name that leads to a private address is not called either', async () => {
  const caller = { ...open, baseUrl: 'https://foyer.example' }
  const outgoing = { headers: {}, body: Buffer.from('x') }
  const call = postToPublicUrl(caller, 'https://localhost.localdomain:9/x', outgoing, 'url')
  await expect(call).rejects.toThrow(/private network|ENOTFOUND|EAI_AGAIN/)
})
