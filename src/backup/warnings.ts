import type { App } from '../access/app.ts'
import { HOUR_MS } from '../kernel/durations.ts'
import { findLastBackups } from './records.ts'

/** A day, and the hours in which a backup that failed is tried again. */
const OVERDUE_AFTER_MS = 30 * HOUR_MS

/** Told only where backups are asked for: whoever makes them in another way knows when. */
export const findBackupWarnings = async ({
  settings,
  database,
  clock,
}: Pick<App, 'settings' | 'database' | 'clock'>): Promise<string[]> => {
  if (!settings.backup) return []
  const { any: last } = await findLastBackups(database)
  if (!last) return ['There is no backup yet.']
  if (clock.now().getTime() - last.getTime() <= OVERDUE_AFTER_MS) return []
  return [`The last backup is of ${last.toISOString().slice(0, 16)}Z; one was due every day.`]
}
