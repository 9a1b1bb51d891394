import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../kernel/sync-folder.ts'

export interface Outbox {
  put(name: string, message: Buffer): Promise<void>
}

/** Mails as files. A reader of *.eml never meets half a mail: it gets that name when it is whole and on the disk. */
export const openOutbox = (folder: string): Outbox => ({
  put: async (name, message) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const draft = path.join(folder, `.${name}.part`)
    try {
      await writeThrough(draft, message)
      await rename(draft, path.join(folder, `${name}.eml`))
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    await syncFolder(folder)
  },
})

const writeThrough = async (file: string, content: Buffer) => {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Names that sort in the order they were asked for, also when the clock is set back. */
export const createSortableNames = (now: () => number = Date.now) => {
  let latest = 0
  let count = 0
  return () => {
    latest = Math.max(latest, now())
    count += 1
    const time = new Date(latest).toISOString().replaceAll(/[-:]/g, '')
    return `${time}-${String(count).padStart(9, '0')}-${randomBytes(4).toString('hex')}`
  }
}
