import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

test.each([
  [undefined, null],
  ['', null],
  ['off', null],
  ['0', null],
  ['1', { hops: 1 }],
  ['3', { hops: 3 }],
  ['10.0.0.0/8', { networks: ['10.0.0.0/8'] }],
  ['192.0.2.7, 2001:db8::/32,::1', { networks: ['192.0.2.7', '2001:db8::/32', '::1'] }],
])('FOYER_TRUST_PROXY=%s is understood', (text, proxies) => {
  expect(readSettings({ FOYER_TRUST_PROXY: text }).trustedProxies).toEqual(proxies)
})

test.each([
  'on',
  'true',
  'yes',
  '-1',
  '99',
  '1.5',
  'loopback',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '10.0.0.0/',
  '10.0.0.0/8,',
  'proxy.example',
])('FOYER_TRUST_PROXY=%s is refused in one sentence', (text) => {
  expect(() => readSettings({ FOYER_TRUST_PROXY: text })).toThrow(/^FOYER_TRUST_PROXY must be "off", [^]*\.$/)
})

test.each([
  [undefined, 10 * 1024 ** 3],
  ['off', null],
  ['500 MB', 500 * 1024 ** 2],
  ['1tb', 1024 ** 4],
])('FOYER_UPLOAD_QUOTA=%s is understood', (text, bytes) => {
  expect(readSettings({ FOYER_UPLOAD_QUOTA: text }).uploadQuota).toBe(bytes)
})

test.each(['10', '0 GB', '-1 GB', '1.5 GB', 'much'])('FOYER_UPLOAD_QUOTA=%s is refused in one sentence', (text) => {
  expect(() => readSettings({ FOYER_UPLOAD_QUOTA: text })).toThrow(/^FOYER_UPLOAD_QUOTA must be "off" or [^]*\.$/)
})
