import { open } from 'node:fs/promises'

/** Without it a name that was just made or moved into the folder could be lost in a power cut. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
