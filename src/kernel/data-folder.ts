import { chmodSync, mkdirSync } from 'node:fs'

/**
 * Makes the data folder where there is none, closed to others before anything is in it. Root makes it passable, because
 * the user who runs PostgreSQL must get through to the cluster; nobody else can list it. A folder that is there already
 * stays as it is.
 */
export const makeDataFolder = (folder: string): void => {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  const made = mkdirSync(folder, { recursive: true, mode })
  // What the umask took away.
  if (made !== undefined) chmodSync(folder, mode)
}
