import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * `npm run check`: every script of package.json whose name begins with `check:`, as many at once as there are cores. Each
 * of them computes on one: what type checkers share out among several they find out once for each.
 */
const ROOT = path.join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const names = Object.keys(scripts).filter((name) => name.startsWith('check:'))

const passes = async (name: string): Promise<boolean> => {
  const child = spawn('npm', ['run', '-s', name], {
    cwd: ROOT,
    env: { ...process.env, GOMAXPROCS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  console.log(`${code === 0 ? '✓' : '✗'} ${name}`)
  if (code !== 0) console.log(stdout + stderr)
  return code === 0
}

const left = names.values()
const workers = Array.from({ length: availableParallelism() }, async () => {
  let hold = true
  for (const name of left) hold = (await passes(name)) && hold
  return hold
})
process.exitCode = (await Promise.all(workers)).every(Boolean) ? 0 : 1
