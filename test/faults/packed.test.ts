import { execFile } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, readdir, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { databaseFolder } from '../kit/database/folders.ts'
import { isHealthy } from '../kit/process/foyer-process.ts'
import { freePort } from '../kit/process/free-port.ts'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '../..')

/**
 * An empty folder in which the package was installed. Its dependencies are links to those that are here, so that nothing
 * is asked of a registry: those it names and no others, under node_modules as npm would put them.
 */
let folder: string
let entry: string

beforeAll(async () => {
  folder = await databaseFolder('packed')
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT })
  const modules = path.join(folder, 'node_modules')
  await mkdir(path.join(modules, '.bin'), { recursive: true })
  await run('tar', ['-xzf', path.join(folder, stdout.trim().split('\n').at(-1)!), '-C', modules])
  await run('mv', [path.join(modules, 'package'), path.join(modules, 'foyer')])
  const { dependencies, optionalDependencies, bin } = JSON.parse(
    await readFile(path.join(modules, 'foyer/package.json'), 'utf8'),
  )
  for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies)]) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true })
    await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name))
  }
  entry = path.join(modules, '.bin/foyer')
  await symlink(`../foyer/${bin.foyer}`, entry)
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

test('the package has what is run and nothing that is not', async () => {
  const names = await readdir(path.join(folder, 'node_modules/foyer'), { recursive: true })
  expect(names.filter((name) => /\.test\.tsx?$|^(test|bench|web|data)(\/|$)|\.env$/.test(name))).toEqual([])
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs/operations.md', 'deploy/foyer.service']) {
    expect(names).toContain(name)
  }
})

test(
  'foyer starts out of the package, embedded database, console and door app included',
  { timeout: 180_000 },
  async () => {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      FOYER_DATA: path.join(folder, 'data'),
      LOG_LEVEL: 'warn',
    }
    const child = spawn(process.execPath, [entry, 'serve'], { cwd: folder, env, stdio: 'pipe' })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const ended = once(child, 'close')
    try {
      await vi.waitFor(
        async () => {
          if (child.exitCode === null) expect(await isHealthy(origin)).toBe(true)
        },
        { timeout: 120_000, interval: 100 },
      )
      expect(stderr).toBe('')
      const page = async (address: string) => {
        const reply = await fetch(origin + address, { headers: { accept: 'text/html' }, redirect: 'manual' })
        return { status: reply.status, text: await reply.text() }
      }
      expect((await page('/sign_in')).status).toBe(200)
      expect((await page('/docs')).status).toBe(200)
      const door = await page('/door')
      expect(door.status).toBe(200)
      const script = /src="(\/door\/assets\/[^"]+\.js)"/.exec(door.text)![1]!
      expect((await fetch(origin + script)).status).toBe(200)

      // It answers before it has introduced itself.
      const token = await vi.waitFor(
        () => {
          const introduced = /Read token +(\S+)\n/.exec(stdout)
          expect(introduced).not.toBeNull()
          return introduced![1]!
        },
        { timeout: 30_000 },
      )
      const events = await fetch(`${origin}/admin/events`, { headers: { authorization: `Bearer ${token}` } })
      expect(events.status).toBe(200)
    } finally {
      child.kill('SIGTERM')
      await ended
    }
    expect([child.exitCode, stderr]).toEqual([0, ''])
  },
)
