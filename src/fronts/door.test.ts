import { beforeAll, expect, test } from 'vitest'
import { buildFronts } from '../../test/kit/browser/fronts.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { atShop } from '../../test/kit/venue/shop.ts'
import { readBuiltFront } from './built-front.ts'

const HTML = { headers: { accept: 'text/html' } }

beforeAll(buildFronts, 300_000)

test('the door app is a page of its own for anybody, with a policy that allows WebAssembly and no more', async () => {
  const { stranger } = await openVenue()
  const page = await stranger.get('/door', HTML)
  expect(page.status).toBe(200)
  const policy = page.headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
  expect(policy.replace("'wasm-unsafe-eval'", '')).not.toContain('unsafe')
  expect(page.headers.get('permissions-policy')).toBe('camera=(self)')
  expect(page.text).not.toMatch(/<script(?![^>]* src=)|\sstyle=|\son\w+=/)
  // The same for everybody, so that a phone may keep it.
  expect((await stranger.get('/door', HTML)).text).toBe(page.text)
  const withSlash = await stranger.get('/door/', HTML)
  expect([withSlash.status, withSlash.headers.get('location')]).toEqual([301, '/door'])

  const [script] = /\/door\/assets\/index-[\w-]+\.js/.exec(page.text)!
  const file = await stranger.get(script)
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(file.headers.get('content-security-policy')).toContain("'wasm-unsafe-eval'")
})

test('it can be installed, and keeps itself on the phone: the list of its files is whole', async () => {
  const venue = await openVenue()
  const { stranger } = venue
  const manifest = await stranger.get('/door/manifest.webmanifest')
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
  const { scope, start_url, display, icons } = JSON.parse(manifest.text)
  expect({ scope, start_url, display }).toEqual({ scope: '/door', start_url: '/door', display: 'standalone' })
  for (const { src } of icons) expect((await stranger.get(src)).headers.get('content-type')).toBe('image/png')

  const worker = await stranger.get('/door/service-worker.js')
  expect(worker.headers.get('service-worker-allowed')).toBe('/door')
  expect(worker.headers.get('cache-control')).toBe('no-cache')
  const { files } = JSON.parse(/FOYER_DOOR = (\{.*?\});/.exec(worker.text)![1]!)
  expect(files).toContain('/door')
  expect(files.some((file: string) => file.endsWith('.wasm'))).toBe(true)
  for (const file of files) expect((await stranger.get(file, file === '/door' ? HTML : {})).status, file).toBe(200)
  for (const nothing of ['/door/index.html', '/door/assets/service-worker.js', '/door/%2e%2e%2fpackage.json'])
    expect((await stranger.get(nothing)).status, nothing).toBe(404)
  expect((await atShop(venue).get('/door', HTML)).status).toBe(404)
})

const FIRST_LOAD_MAX = 150 * 1024

test('beside the WebAssembly a first load weighs at most 150 KB', async () => {
  const { files } = (await readBuiltFront('door'))!
  const weight = Array.from(files)
    .filter(([name]) => !name.endsWith('.wasm'))
    .reduce((sum, [, file]) => sum + file.gzip!.length, 0)
  expect(weight).toBeLessThanOrEqual(FIRST_LOAD_MAX)
  expect(weight).toBeGreaterThan(20 * 1024)
})
