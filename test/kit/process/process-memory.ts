import { readFileSync, readdirSync } from 'node:fs'

const megabytesOf = (pid: number, line: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** What a process holds in memory now, in megabytes, as the kernel counts it. */
export const residentMegabytes = (pid: number): number => megabytesOf(pid, 'VmRSS')

/** The most that it has held. */
export const peakMegabytes = (pid: number): number => megabytesOf(pid, 'VmHWM')

/** How many files, sockets and pipes it has open. */
export const openHandles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
