import { z } from 'zod'
import { defineAppJob } from '../jobs/context.ts'
import { HOUR_MS } from '../kernel/durations.ts'
import { findLastBackups } from './records.ts'
import { addDueBackups } from './back-up-servers.ts'

/** A day, but for what the hours' work itself may take. */
const DUE_AFTER_MS = 23.5 * HOUR_MS

/** Asked every hour, so that a night in which Foyer stood still costs an hour and not a day. */
export const makeDailyBackup = defineAppJob({
  name: 'backup.daily',
  payload: z.object({}),
  every: '1 hour',
  isOfInstallation: true,
  attempts: 1,
  run: async (_payload, { context: { app }, log, signal }) => {
    const { settings, database, clock } = app
    if (!settings.backup) return
    const now = clock.now()
    const isDue = async () => {
      const { scheduled: last } = await findLastBackups(database)
      return !last || now.getTime() - last.getTime() >= DUE_AFTER_MS
    }
    if (!(await isDue())) return
    const written = await addDueBackups(app, { now, isDue, signal })
    if (written) log.info({ file: written.file, bytes: written.bytes, rows: written.rows }, 'a backup was made')
  },
})
