import { type RestoreReport, type RestoreTarget, loadArchive } from '../../../src/backup/restore.ts'

/** One archive into one server, as the command does it for each of its servers. */
export const restoreArchive = async (
  file: string,
  passphrase: string | null,
  target: RestoreTarget,
): Promise<RestoreReport> => {
  const { client, report } = await loadArchive(file, passphrase, target)
  try {
    await client.query('commit')
    return report
  } finally {
    await client.end()
  }
}
