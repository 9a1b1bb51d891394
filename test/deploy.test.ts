import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import packageFile from '../package.json' with { type: 'json' }
import { SETTINGS, readSettings } from '../src/kernel/settings.ts'
import { ENDPOINTS } from '../src/main.ts'
import { runFoyer } from './kit/process/foyer-process.ts'

/*
 * What a machine is set up with names commands, settings, ports and paths. None of it is compiled, so it is held here
 * against what there is.
 */

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found]) => found!)

const dockerfile = read('Dockerfile')
const compose = read('deploy/compose.yml')
const kubernetes = read('deploy/kubernetes.yml')
const unit = read('deploy/foyer.service')
const caddyfile = read('deploy/Caddyfile')

const settings = new Set(SETTINGS.map(({ name }) => name))
const serviceOf = (name: string) => new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)*)`, 'm').exec(compose)![1]!

test('every setting that is given exists', () => {
  const ofFoyer = /^ +environment:\n((?: {6}.*\n)*)/m.exec(serviceOf('foyer'))![1]!
  const given = {
    Dockerfile: all(/^ENV (.*)$/m.exec(dockerfile)![1]!, /([A-Z_]+)=/g).filter((name) => name !== 'NODE_ENV'),
    compose: all(ofFoyer, /^ {6}([A-Z_0-9]+):/gm),
    kubernetes: all(kubernetes, /\{ name: ([A-Z_0-9]+), value:/g),
    unit: all(unit, /^Environment=([A-Z_0-9]+)=/gm),
  }
  for (const [file, names] of Object.entries(given)) {
    expect(names.length, file).toBeGreaterThan(0)
    expect(
      names.filter((name) => !settings.has(name)),
      file,
    ).toEqual([])
  }
  const mentioned = all(dockerfile + compose + kubernetes + unit, /\b(FOYER_[A-Z_]+|S3_[A-Z_]+|SMTP_URL)\b/g)
  expect(mentioned.filter((name) => !settings.has(name) && name !== 'FOYER_SITES' && name !== 'S3_')).toEqual([])
})

test('the values that are given are understood, each file by itself', () => {
  const valuesOf = (text: string, pattern: RegExp) =>
    Object.fromEntries(Array.from(text.matchAll(pattern), ([, name, value]) => [name!, value!]))
  const filled = serviceOf('foyer').replaceAll(/\$\{(\w+):[?-]\}/g, (_all, name: string) => {
    const values: Record<string, string> = { BASE_URL: 'https://foyer.example', SHOP_DOMAIN: 'shops.example' }
    return values[name] ?? (name === 'POSTGRES_PASSWORD' ? 'secret' : '')
  })
  expect(readSettings(valuesOf(filled, /^ {6}([A-Z_0-9]+): '?(.*?)'?$/gm))).toMatchObject({
    databaseUrl: 'postgres://foyer:secret@database/foyer',
    loadsDemo: false,
    trustedProxies: { hops: 1 },
    backup: { keep: 7 },
    metricsPort: 9464,
  })
  expect(readSettings(valuesOf(kubernetes, /\{ name: ([A-Z_0-9]+), value: '(.*?)' \}/g))).toMatchObject({
    baseUrl: 'https://foyer.example',
    stopDelayMs: 10_000,
  })
  expect(readSettings(valuesOf(/^ENV (.*)$/m.exec(dockerfile)![1]!, /(\S+)=(\S+)/g))).toMatchObject({
    host: '0.0.0.0',
    port: 3000,
    dataFolder: '/data',
  })
})

test('every file that is copied or run is there, and the image has all that the package has', () => {
  // The build makes these itself.
  const made = new Set(['node_modules', 'dist/released', 'dist/server/released'])
  const copied = all(dockerfile, /^COPY --from=build (.*) \S+$/gm).flatMap((paths) => all(paths, /\/app\/(\S+)/g))
  expect(copied.filter((file) => !made.has(file) && !existsSync(path.join(ROOT, file)))).toEqual([])
  const packaged = packageFile.files.filter((file) => !/^(!|CHANGELOG|deploy|docs)/.test(file))
  expect(packaged.filter((file) => !copied.includes(file) && !copied.includes(path.dirname(file)))).toEqual([])
  const ignored = read('.dockerignore').trim().split('\n')
  const needed = ['bin', 'src', 'migrations', 'web', 'package.json', 'package-lock.json', '.npmrc', 'vite.config.ts']
  expect(needed.filter((file) => ignored.includes(file) || !existsSync(path.join(ROOT, file)))).toEqual([])

  expect(all(dockerfile, /^RUN .*?node (bin\/\S+)/gm).map((file) => existsSync(path.join(ROOT, file)))).toEqual([true])
  const [, node, script] = /^ExecStart=\/srv\/foyer\/(\S+) \/srv\/foyer\/(\S+) serve$/m.exec(unit)!
  expect(existsSync(path.join(ROOT, node!))).toBe(true)
  expect(script).toBe(packageFile.bin.foyer)
  expect(dockerfile).toContain(`ENTRYPOINT ["node", "${packageFile.bin.foyer}"]`)
  expect(compose).toContain('./Caddyfile:')
  expect(kubernetes).toContain(`image: foyer:${packageFile.version}\n`)
})

test('ports, paths and commands lead to something', async () => {
  const paths = new Set(ENDPOINTS.map((each) => each.path))
  const asked = [...all(kubernetes, /path: (\/[a-z]+)/g), ...all(dockerfile, /process\.env\.PORT\}(\/[a-z]+)/g)]
  expect(asked).toEqual(['/readyz', '/readyz', '/healthz', '/healthz'])
  for (const each of asked) expect(paths).toContain(each)
  expect(caddyfile).toContain('reverse_proxy foyer:3000')
  expect(caddyfile).toContain('{$FOYER_SITES}')
  expect(dockerfile).toMatch(/^EXPOSE 3000$/m)
  expect(all(kubernetes, /containerPort: (\d+)/g)).toEqual(['3000', '9464'])

  const { stdout: help } = await runFoyer(['help'], {})
  const commands = [...all(dockerfile, /^CMD \["(\w+)"\]$/gm), ...all(unit, /foyer\.js (\w+)$/gm)]
  expect(commands).toEqual(['serve', 'serve'])
  for (const command of commands) expect(help).toMatch(new RegExp(`^  ${command} `, 'm'))
})

test('nothing runs as root, nothing but the data can be written, and Foyer has the time to stop', () => {
  expect(dockerfile).toMatch(/^USER 10001$/m)
  expect(dockerfile).toMatch(/^VOLUME \/data$/m)
  expect(serviceOf('foyer')).toMatch(/read_only: true[^]*cap_drop: \[ALL\]/)
  expect(kubernetes).toMatch(/readOnlyRootFilesystem: true/)
  expect(unit).toMatch(/^ProtectSystem=strict$/m)
  expect(unit).toMatch(/^CapabilityBoundingSet=$/m)
  expect(unit).toContain(`StateDirectory=foyer-data`)
  const stopDelay = Number(/FOYER_STOP_DELAY, value: '(\d+)'/.exec(kubernetes)![1])
  expect(Number(/terminationGracePeriodSeconds: (\d+)/.exec(kubernetes)![1])).toBeGreaterThan(stopDelay + 5)
  // Under a page.
  expect(kubernetes.split('\n').length).toBeLessThan(60)
})
