import { mkdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../kernel/sync-folder.ts'
import { StorageUnavailable } from './storage.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/** A disk that is full or fails is told as such. */
export const mapDiskErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (FULL.has((error as NodeJS.ErrnoException).code ?? '')) throw new StorageUnavailable()
    throw error
  }
}

/** Gives a draft that is whole and on the disk its name, for good. */
export const moveDurably = async (draft: string, file: string): Promise<void> => {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await rename(draft, file)
  await syncFolder(path.dirname(file))
}

export const emptyListWhenMissing = (error: NodeJS.ErrnoException): string[] => {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Null when there is no such file. */
export const fileSizeOrNull = (file: string): Promise<number | null> =>
  stat(file).then(
    (found) => (found.isFile() ? found.size : null),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )
