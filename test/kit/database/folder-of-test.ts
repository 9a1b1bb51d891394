import { rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { databaseFolder } from './folders.ts'

/** A folder for an embedded database of one test; it goes when the test is over. */
export const databaseFolderOfTest = async (name: string): Promise<string> => {
  const folder = await databaseFolder(name)
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
