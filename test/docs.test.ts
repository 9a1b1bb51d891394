import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { banner } from '../bin/banner.ts'
import { readSettings } from '../src/kernel/settings.ts'

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')

const NAMED_FILE = /`((?:src|test|bench|bin|docs|migrations)\/[\w/.-]+\.\w+)`/g

test('every file that the documents name is there', () => {
  const documents = globSync(['*.md', 'docs/*.md'], { cwd: ROOT })
  expect(documents.length).toBeGreaterThan(5)
  const missing = documents.flatMap((document) =>
    Array.from(read(document).matchAll(NAMED_FILE), ([, file]) => file!)
      .filter((file) => !existsSync(path.join(ROOT, file)))
      .map((file) => `${document} names ${file}`),
  )
  expect(missing).toEqual([])
})

/** A file of tests, and the titles in quotation marks up to the next file. */
const PROOF = /`((?:src|test)\/[\w/.-]+\.test\.ts)`((?:(?!`)[^\n])*)/g

test('every promise names tests, and every test it names is there', () => {
  const promises = read('docs/promises.md')
    .split(/^## What is not promised/m)[0]!
    .split(/^- /m)
    .slice(1)
  expect(promises.length).toBeGreaterThan(20)
  expect(promises.filter((promise) => !/^ {2}Proof: `/m.test(promise))).toEqual([])

  const proofs = promises.flatMap((promise) =>
    Array.from(promise.matchAll(PROOF), ([, file, rest]) => ({
      file: file!,
      titles: Array.from(rest!.matchAll(/“([^”]+)”/g), ([, title]) => title!),
    })),
  )
  expect(proofs.filter(({ titles }) => titles.length === 0)).toEqual([])
  const missing = proofs.flatMap(({ file, titles }) => {
    const tests = read(file)
    return titles.filter((title) => !tests.includes(title)).map((title) => `${file} has no “${title}”`)
  })
  expect(missing).toEqual([])
})

test('wherever the demo’s read token is handed over, it is said that it exports voucher codes', () => {
  const settings = readSettings({})
  const demo = {
    baseUrl: settings.baseUrl,
    shopUrl: 'http://kaispeicher.localhost:3000',
    subdomain: 'kaispeicher',
    email: 'olga@kaispeicher.example',
    password: 'p',
    readToken: 'r',
    writeToken: 'w',
    coOrganizerToken: 'c',
    deviceToken: 'd',
  }
  for (const text of [banner(settings, demo, 1), read('README.md'), read('docs/assistant.md')]) {
    expect(text).toContain('/admin/vouchers.csv')
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(/read token (that|changes nothing, but)/)
  }
})
