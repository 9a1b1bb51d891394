import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startFoyer } from '../kit/process/foyer-process.ts'
import { freePort } from '../kit/process/free-port.ts'

/**
 * Generates clients from docs/openapi.json with tools that others wrote, compiles them, and makes a call of each kind
 * against a running demo. By hand: `npm run test:clients`. It needs Python 3 with venv, and both package registries.
 */
const OPENAPI_TS = '@hey-api/openapi-ts@0.95.0'
const TYPESCRIPT = 'typescript@5.9.3'
const OPENAPI_PYTHON = 'openapi-python-client==0.29.1'

const DESCRIPTION = path.join(import.meta.dirname, '../../docs/openapi.json')
const EVENT = 'winter-gala'

const folder = await mkdtemp(path.join(tmpdir(), 'foyer-clients-'))
const run = (command: string, args: string[], environment: Record<string, string> = {}) =>
  execFileSync(command, args, { cwd: folder, stdio: 'inherit', env: { ...process.env, ...environment } })

const callTypeScript = async (environment: Record<string, string>) => {
  await cp(path.join(import.meta.dirname, 'typescript/calls.ts'), path.join(folder, 'calls.ts'))
  run('npm', ['init', '-y', '--silent'])
  run('npm', ['install', '--silent', '--no-audit', OPENAPI_TS, TYPESCRIPT, '@types/node@24'])
  run('npx', ['openapi-ts', '-i', DESCRIPTION, '-o', 'generated'])
  const options = ['--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable']
  run('npx', ['tsc', ...options, '--module', 'commonjs', '--types', 'node', '--outDir', 'built', 'calls.ts'])
  run(process.execPath, ['built/calls.js'], environment)
}

const callPython = async (environment: Record<string, string>) => {
  await cp(path.join(import.meta.dirname, 'python/calls.py'), path.join(folder, 'calls.py'))
  run('python3', ['-m', 'venv', 'python'])
  run('python/bin/pip', ['install', '--quiet', OPENAPI_PYTHON, 'httpx', 'attrs', 'python-dateutil'])
  run('python/bin/openapi-python-client', [
    'generate',
    '--path',
    DESCRIPTION,
    '--meta',
    'none',
    '--output-path',
    'foyer_client',
  ])
  run('python/bin/python', ['-m', 'compileall', '-q', 'foyer_client'])
  run('python/bin/python', ['calls.py'], environment)
}

const port = String(await freePort())
const data = path.join(folder, 'data')
const foyer = await startFoyer({ FOYER_DATA: data, FOYER_DEMO: '1', PORT: port })
try {
  const demo = JSON.parse(await readFile(path.join(data, 'demo.json'), 'utf8')) as Record<string, string>
  const environment = {
    ORIGIN: `http://localhost:${port}`,
    SHOP: `http://kaispeicher.localhost:${port}`,
    READ: demo['readToken']!,
    WRITE: demo['writeToken']!,
    DOOR: demo['deviceToken']!,
    EVENT,
  }
  await callTypeScript(environment)
  await callPython(environment)
  process.stdout.write('Both clients compile, and every kind of call went through.\n')
} finally {
  await foyer.end()
  await rm(folder, { recursive: true, force: true })
}
