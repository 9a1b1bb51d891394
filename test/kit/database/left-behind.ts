import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { killIfThere } from '../process/family.ts'

/** Of folders that name the process they belong to; its number comes next. */
export const FOLDER_PREFIX = 'foyer-test-'
const BENCH_PREFIX = 'foyer-bench-'

/** Has a folder go when the process does, however it ends short of SIGKILL, with all that works in it. Answers how to let it be. */
export const removeWithProcess = (folder: string): (() => void) => {
  const remove = () => removeAtOnce(folder)
  process.once('exit', remove)
  return () => void process.off('exit', remove)
}

/** What runs and benches that were killed have left behind: servers, and folders. */
export const sweepLeftBehind = (parent = tmpdir()): void => {
  for (const name of readdirSync(parent)) {
    const prefix = [FOLDER_PREFIX, BENCH_PREFIX].find((each) => name.startsWith(each))
    const owner = Number(prefix && /^(\d+)-/.exec(name.slice(prefix.length))?.[1])
    if (owner && !isAlive(owner)) removeAtOnce(path.join(parent, name))
  }
}

/**
 * While the process exits nothing can be awaited, and a server writes its last files while the folder is emptied, which
 * rmSync with force passes over in silence.
 */
const removeAtOnce = (folder: string) => {
  endAllIn(folder)
  for (let attempt = 0; attempt < 100 && existsSync(folder); attempt++) {
    if (attempt > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** PostgreSQL and its like by what they were told on the command line, Foyer by its data folder. */
const endAllIn = (folder: string) => {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [program = '', ...told] = listOf(pid, 'cmdline')
    if (/(^|\/)(postgres|initdb|pgbouncer)$/.test(program) && told.some((each) => each.includes(folder))) {
      // At once, and its processes with it.
      killIfThere(Number(pid), 'SIGQUIT')
    } else if (listOf(pid, 'environ').some((each) => each.startsWith(`FOYER_DATA=${folder}/`))) {
      killIfThere(Number(pid), 'SIGKILL')
    }
  }
}

/** Empty where it has ended, or is somebody else's. */
const listOf = (pid: string, file: 'cmdline' | 'environ'): string[] => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
