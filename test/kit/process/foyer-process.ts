import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { freePort } from './free-port.ts'

const ENTRY = path.join(import.meta.dirname, '../../../bin/foyer.js')

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface FoyerProcess {
  child: ChildProcess
  origin: string
  /** What it said so far. */
  said(): Outcome
  /** Ends it with the signal and tells how it went. */
  end(signal?: NodeJS.Signals): Promise<Outcome>
}

/** The command line as an operator starts it, in a process of its own. */
export const runFoyer = async (args: string[], environment: Record<string, string>, input = ''): Promise<Outcome> => {
  const { child, ended } = startCommand([...args, ...whereToLoad(args, environment)], environment)
  child.stdin.end(input)
  return ended
}

/** With FOYER_TEST_SHARDS every account is on the second server, where there is one. */
const whereToLoad = ([command, ...rest]: string[], environment: Record<string, string>): string[] => {
  const isOpen = command === 'load' && !rest.includes('--shard') && environment['FOYER_SHARDS']
  return process.env['FOYER_TEST_SHARDS'] && isOpen ? ['--shard', 'two'] : []
}

/** The same while it is under way. */
export const startCommand = (args: string[], environment: Record<string, string>) => {
  const { child, said, done } = start(args, environment)
  return { child, ended: done.then(said) }
}

/** A server on a free port, healthy when this returns. */
export const startFoyer = async (
  environment: Record<string, string>,
  switches: string[] = [],
): Promise<FoyerProcess> => {
  const port = await freePort()
  const { child, said, done } = start(['serve', ...switches], { PORT: String(port), ...environment })
  const origin = `http://127.0.0.1:${environment['PORT'] ?? port}`

  while (!(await isHealthy(origin))) {
    if (child.exitCode !== null) throw new Error(`Foyer ended with ${child.exitCode}: ${said().stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    child,
    origin,
    said,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await done
      return said()
    },
  }
}

/** A worker without a web server; it stands when it has introduced itself. */
export const startWorkerProcess = async (
  environment: Record<string, string>,
): Promise<Omit<FoyerProcess, 'origin'>> => {
  const { child, said, done } = start(['serve', '--no-http'], environment)
  while (said().stdout === '') {
    if (child.exitCode !== null) throw new Error(`The worker ended with ${child.exitCode}: ${said().stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    child,
    said,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await done
      return said()
    },
  }
}

export const isHealthy = async (origin: string): Promise<boolean> => {
  try {
    return (await fetch(`${origin}/healthz`)).status === 200
  } catch {
    return false
  }
}

const start = (args: string[], environment: Record<string, string>) => {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], FOYER_DEMO: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: 'pipe',
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  return { child, said: (): Outcome => ({ code: child.exitCode, ...texts }), done: once(child, 'close') }
}
