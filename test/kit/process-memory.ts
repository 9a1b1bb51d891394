import { readFileSync, readdirSync } from 'node:fs'

/** What a process holds in memory now, in megabytes, as the kernel counts it. */
export const residentMegabytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** How many files, sockets and pipes it has open. */
export const openHandles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
