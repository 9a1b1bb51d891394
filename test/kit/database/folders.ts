import { chmod, mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/**
 * A folder under which an embedded database can live. As root the database runs as another user, who must be able to
 * get there; otherwise it would be placed outside of the folder and outlive it.
 */
export const databaseFolder = async (name: string, parent = os.tmpdir()): Promise<string> => {
  const folder = await mkdtemp(path.join(parent, `foyer-${name}-`))
  await chmod(folder, 0o711)
  return folder
}
