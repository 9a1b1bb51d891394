import { z } from 'zod'
import { defineAppJob } from '../jobs/context.ts'
import { HOUR_MS } from '../kernel/durations.ts'
import { findLastBackups } from './records.ts'
import { addScheduledBackups } from './back-up-servers.ts'

/** A day, but for what the hours' work itself may take. */
const DUE_AFTER_MS = 23.5 * HOUR_MS

/** Asked every hour, so that a night in which Foyer stood still costs an hour and not a day. */
export const makeDailyBackup = defineAppJob({
  name: 'backup.daily',
  payload: z.object({}),
  every: '1 hour',
  isOfInstallation: true,
  attempts: 1,
  run: async (_payload, { context: { app }, log }) => {
    const { settings, database, clock } = app
    if (!settings.backup) return
    const { scheduled: last } = await findLastBackups(database)
    const now = clock.now()
    if (last && now.getTime() - last.getTime() < DUE_AFTER_MS) return
    const written = await addScheduledBackups(app, now)
    if (written) log.info({ file: written.file, bytes: written.bytes, rows: written.rows }, 'a backup was made')
  },
})
