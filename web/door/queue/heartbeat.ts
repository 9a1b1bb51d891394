import { requestAsDevice } from '../base/ask.ts'
import { readSetting, writeSetting } from '../base/database.ts'
import { chosenEvents, unsentScans } from '../base/state.ts'

/** Says how this phone is; tells whether the list of events changed since it was last read. */
export const sendHeartbeat = async (version: string): Promise<boolean> => {
  const snapshots = chosenEvents.value.flatMap(({ generatedAt }) => generatedAt ?? [])
  const { status, body } = await requestAsDevice('/scanner/heartbeat', {
    method: 'POST',
    timeoutMs: 5_000,
    body: { queue: unsentScans.value.length, snapshot_at: snapshots.toSorted()[0] ?? null, app_version: version },
  })
  if (status !== 200) return false
  const changedAt = String(body?.events_changed_at)
  if (changedAt === (await readSetting('eventsChangedAt'))) return false
  await writeSetting('eventsChangedAt', changedAt)
  return true
}
