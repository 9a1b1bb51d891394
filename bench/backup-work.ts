import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { yieldToOthers } from '../src/backup/priority.ts'
import { writeBackupFile } from '../src/backup/write-backup-file.ts'
import { readSettings } from '../src/kernel/settings.ts'
import { takeTask } from './frame.ts'

export interface BackupTask {
  connection: pg.ClientConfig
  /** Of the installation, in which the archives are put for a while. */
  dataFolder: string
  times: number
}

export interface BackupOutcome {
  rows: number
  /** Of each. */
  seconds: number[]
  /** What the process needed more at its largest than before it began. */
  grownMb: number
}

const LOOK_MS = 10

await takeTask(async ({ connection, dataFolder, times }: BackupTask): Promise<BackupOutcome> => {
  // As the command does.
  yieldToOthers()
  const settings = readSettings({ FOYER_DATA: dataFolder })
  const folder = await mkdtemp(path.join(dataFolder, 'archives-'))
  const before = process.memoryUsage().rss
  let most = before
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), LOOK_MS)
  const seconds: number[] = []
  let rows = 0
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now()
    const written = await writeBackupFile(path.join(folder, `${n}.tar.gz`), { settings, connection, now: new Date() })
    seconds.push((performance.now() - startedAt) / 1000)
    rows = written.rows
    await rm(written.file)
  }
  clearInterval(looking)
  await rm(folder, { recursive: true })
  return { rows, seconds, grownMb: (most - before) / 2 ** 20 }
})
