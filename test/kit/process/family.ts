import { readFile, readdir } from 'node:fs/promises'

/** Everything that a process has started, and what that has started, itself included. */
export const familyOf = async (pid: number): Promise<number[]> => {
  const parents = new Map<number, number>()
  for (const name of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    parents.set(Number(name), Number(/\) \S (\d+)/.exec(stat)?.[1] ?? 0))
  }
  const family = new Set([pid])
  for (let size = 0; size < family.size;) {
    size = family.size
    for (const [child, parent] of parents) if (family.has(parent)) family.add(child)
  }
  return [...family]
}

export const isAlive = async (pid: number): Promise<boolean> =>
  /\) [^ZX]/.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))

export const killIfThere = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
