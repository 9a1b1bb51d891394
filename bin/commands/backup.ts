import { yieldToOthers } from '../../src/backup/priority.ts'
import { writeBackupFiles } from '../../src/backup/back-up-servers.ts'
import { counted, print, readFileName, withApp } from '../command-line.ts'

export const run = async (argv: string[]) => {
  const file = readFileName('backup', argv)
  yieldToOthers()
  await withApp('backup', async (app, connection) => {
    const started = performance.now()
    const written = await writeBackupFiles(app, connection, file)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    for (const { rows, files, bytes, file: name } of written) {
      print(
        `Backed up ${counted(rows, 'row')} and ${counted(files, 'file')} into ${name}: ${sizeOf(bytes)} in ${seconds} s.`,
      )
    }
  })
}

const sizeOf = (bytes: number) =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`
