import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runFoyer } from '../../test/kit/process/foyer-process.ts'
import { SETTINGS, readSettings } from './settings.ts'

/** Every name that the settings are read from, with a store and backups in place so that what belongs to them is asked for too. */
const namesRead = () => {
  const names = new Set<string>()
  const given: Record<string, string> = {
    FOYER_BACKUP: 'daily:7',
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'foyer',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  readSettings(
    new Proxy(given, {
      get: (target, name) => {
        names.add(String(name))
        return target[String(name)]
      },
    }),
  )
  return [...names].toSorted()
}

test('every setting that is read is described, and none that is not', () => {
  expect(SETTINGS.map(({ name }) => name).toSorted()).toEqual(namesRead())
})

test('the help of the command line names every setting', async () => {
  const { code, stdout } = await runFoyer(['help'], {})
  expect(code).toBe(0)
  for (const name of namesRead()) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
})

test('the table of docs/operations.md names every setting', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const table = text.split('\n').filter((line) => line.startsWith('|'))
  const missing = namesRead().filter((name) => !table.some((line) => line.includes(`\`${name}\``)))
  expect(missing).toEqual([])
})

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

test.each([
  [{}, { metricsToken: null, metricsPort: null, stopDelayMs: 0 }],
  [
    { FOYER_METRICS_TOKEN: '', FOYER_METRICS_PORT: '', FOYER_STOP_DELAY: '' },
    { metricsToken: null, metricsPort: null },
  ],
  [{ FOYER_METRICS_TOKEN: 'a-token-of-16-ch', FOYER_METRICS_PORT: '9090' }, { metricsPort: 9090 }],
  [{ FOYER_STOP_DELAY: '15' }, { stopDelayMs: 15_000 }],
])('how Foyer is watched and stopped is understood: %j', (environment, expected) => {
  expect(readSettings(environment)).toMatchObject(expected)
})

test.each([
  ['FOYER_METRICS_TOKEN', 'short'],
  ['FOYER_METRICS_TOKEN', 'sixteen letters with spaces'],
  ['FOYER_METRICS_PORT', '0'],
  ['FOYER_METRICS_PORT', '70000'],
  ['FOYER_METRICS_PORT', 'on'],
  ['FOYER_STOP_DELAY', '61'],
  ['FOYER_STOP_DELAY', '-1'],
  ['FOYER_STOP_DELAY', '2s'],
])('%s=%s is refused in one sentence', (name, text) => {
  expect(() => readSettings({ [name]: text })).toThrow(new RegExp(`^${name} must [^]*\\.$`))
})

const STORE = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'foyer',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
}

test.each([
  ['/srv/backups', { keep: 7, folder: '/srv/backups', store: null }],
  ['s3://safe', { keep: 7, folder: 'backups', store: expect.objectContaining({ bucket: 'safe' }) }],
  ['s3://safe/foyer/daily/', { keep: 7, folder: 'foyer/daily', store: expect.objectContaining({ bucket: 'safe' }) }],
])('FOYER_BACKUP_FOLDER=%s is understood', (place, expected) => {
  expect(readSettings({ ...STORE, FOYER_BACKUP: 'daily:7', FOYER_BACKUP_FOLDER: place }).backup).toEqual(expected)
})

test.each([
  ['s3://safe/foyer', {}],
  ['s3:safe', STORE],
  ['s3://', STORE],
  ['s3://safe/../up?x', STORE],
])('FOYER_BACKUP_FOLDER=%s is refused in one sentence', (place, store) => {
  expect(() => readSettings({ ...store, FOYER_BACKUP: 'daily:7', FOYER_BACKUP_FOLDER: place })).toThrow(
    /^FOYER_BACKUP_FOLDER must be a folder, or like s3:[^]*\.$/,
  )
})
