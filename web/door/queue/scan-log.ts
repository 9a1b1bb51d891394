import { withDatabase } from '../base/database.ts'
import type { Scan } from '../base/scan-record.ts'
import { serverRejectedScans, isStorageBroken, scans } from '../base/state.ts'

/** Everything that was scanned on this phone and is still kept. */
export const loadScanLog = async (): Promise<void> => {
  scans.value = await withDatabase((db) => db.getAll('scans'))
  serverRejectedScans.value = await withDatabase((db) => db.getAll('deviations'))
}

/** On the disk first: nothing is shown of a scan that could be lost. Throws where the disk is full. */
export const writeScan = async (scan: Scan): Promise<Scan> => {
  const written = await tellBroken(() =>
    withDatabase(async (db) => {
      const transaction = db.transaction('scans', 'readwrite', { durability: 'strict' })
      // A write that seemed to fail may have been done.
      const known = scan.seq ?? (await transaction.store.index('clientId').getKey(scan.clientId))
      const seq = await transaction.store.put(known === undefined ? scan : { ...scan, seq: known })
      await transaction.done
      return { ...scan, seq }
    }),
  )
  const before = scans.value.findIndex(({ clientId }) => clientId === scan.clientId)
  scans.value = before === -1 ? [...scans.value, written] : scans.value.with(before, written)
  return written
}

/** Many at once, as after a sync. */
export const updateScans = async (changed: readonly Scan[]): Promise<void> => {
  if (changed.length === 0) return
  await tellBroken(() =>
    withDatabase(async (db) => {
      const transaction = db.transaction('scans', 'readwrite')
      for (const scan of changed) void transaction.store.put(scan)
      await transaction.done
    }),
  )
  const byId = new Map(changed.map((scan) => [scan.clientId, scan]))
  scans.value = scans.value.map((scan) => byId.get(scan.clientId) ?? scan)
}

const tellBroken = async <T>(write: () => Promise<T>): Promise<T> => {
  try {
    const written = await write()
    isStorageBroken.value = false
    return written
  } catch (error) {
    isStorageBroken.value = true
    throw error
  }
}
