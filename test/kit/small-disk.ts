import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Only root may mount; without that there is no disk to be filled. */
export const canMount = process.getuid?.() === 0

/** A disk of its own that can be filled to the last byte and emptied again. */
export const openSmallDisk = (megabytes: number) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'foyer-disk-'))
  execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder])
  const ballast = path.join(folder, 'ballast')
  const free = () => rmSync(ballast, { force: true })

  return {
    folder,
    /** Leaves only so much, and nothing at all if it is not told. */
    fill: (leaveBytes = 0) => {
      free()
      const spare = path.join(folder, 'spare')
      const write = (file: string, most: number) => {
        const handle = openSync(file, 'a')
        try {
          for (let left = most; left > 0;) left -= writeSync(handle, Buffer.alloc(Math.min(left, 1024 * 1024), 1))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        } finally {
          closeSync(handle)
        }
      }
      write(spare, leaveBytes)
      write(ballast, Infinity)
      rmSync(spare, { force: true })
    },
    free,
    close: () => {
      execFileSync('/bin/umount', ['--lazy', folder])
      rmdirSync(folder)
    },
  }
}
