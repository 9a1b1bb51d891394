import { accessSync, constants } from 'node:fs'
import path from 'node:path'

export const isRoot = process.getuid?.() === 0

/** Where the first of these programs is that the system has. */
export const findProgram = (names: readonly string[]): string | null => {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return files.find(isExecutable) ?? null
}

const isExecutable = (file: string) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
