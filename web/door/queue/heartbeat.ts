import { requestAsDevice } from '../base/ask.ts'
import { readSetting } from '../base/database.ts'
import { chosenEvents, unsentScans } from '../base/state.ts'

/** Says how this phone is; tells when the list of events changed, if that was after it was last read. */
export const sendHeartbeat = async (version: string): Promise<string | null> => {
  const snapshots = chosenEvents.value.flatMap(({ generatedAt }) => generatedAt ?? [])
  const { status, body } = await requestAsDevice('/scanner/heartbeat', {
    method: 'POST',
    timeoutMs: 5_000,
    body: { queue: unsentScans.value.length, snapshot_at: snapshots.toSorted()[0] ?? null, app_version: version },
  })
  if (status !== 200) return null
  const changedAt = String(body?.events_changed_at)
  return changedAt === (await readSetting('eventsChangedAt')) ? null : changedAt
}
