/**
 * Loaded before Foyer where no small disk can be mounted. While the marker lies in the folder of the data, no byte can
 * be written to a file in it: files can still be made, read, renamed and removed, as on a disk that is full.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { FULL_MARKER } from './full-disk-marker.ts'

const folder = path.resolve(process.env['FOYER_DATA']!) + path.sep
const marker = path.join(folder, FULL_MARKER)

const isInside = (file: unknown) => path.resolve(String(file)).startsWith(folder)
const noSpace = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' })
const isFull = () => fs.existsSync(marker)

/** Numbers of open files in the folder; a number that is given out again is looked at again. */
const inside = new Set<number>()

// Each stands for all of its overloads, which no type could follow.
// oxlint-disable-next-line typescript/no-explicit-any
type Any = any
const loose: Any = fs

const { open, write, writev } = loose
loose.open = (file: unknown, ...rest: Any[]) => {
  const done = rest.pop()
  return open(file, ...rest, (error: Error | null, fd: number) => {
    if (!error && isInside(file)) inside.add(fd)
    else inside.delete(fd)
    done(error, fd)
  })
}

const unlessFull =
  (original: Any) =>
  (fd: number, ...rest: Any[]) =>
    inside.has(fd) && isFull() ? process.nextTick(rest.at(-1), noSpace(), 0) : original(fd, ...rest)
loose.write = unlessFull(write)
loose.writev = unlessFull(writev)

const openHandle = loose.promises.open
loose.promises.open = async (file: unknown, ...rest: Any[]) => {
  const handle = await openHandle(file, ...rest)
  // The number may have stood for another file before.
  inside.delete(handle.fd)
  if (!isInside(file)) return handle
  for (const name of ['write', 'writev', 'writeFile', 'appendFile']) {
    const original = handle[name].bind(handle)
    handle[name] = async (...given: Any[]) => {
      if (isFull()) throw noSpace()
      return original(...given)
    }
  }
  return handle
}

const { writeFile } = loose.promises
loose.promises.writeFile = async (file: unknown, ...rest: Any[]) => {
  if (isInside(file) && isFull()) throw noSpace()
  return writeFile(file, ...rest)
}

syncBuiltinESMExports()
