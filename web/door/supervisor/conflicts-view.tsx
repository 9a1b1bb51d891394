import { serverNow } from '../base/clock.ts'
import { withDatabase } from '../base/database.ts'
import { showTime, wordsOf } from '../base/language.ts'
import { Panel } from '../base/panel.tsx'
import { serverRejectedScans, unacknowledgedRejectedScans, scans } from '../base/state.ts'
import { words } from './words.ts'

/** It stays in the log of the phone; only the list is shorter. */
const acknowledge = async (clientId: string) => {
  const deviation = serverRejectedScans.value.find((each) => each.clientId === clientId)
  if (!deviation) return
  const seen = { ...deviation, acknowledgedAt: serverNow().toISOString() }
  await withDatabase((db) => db.put('deviations', seen))
  serverRejectedScans.value = serverRejectedScans.value.map((each) => (each === deviation ? seen : each))
}

export const ConflictsView = ({ onClose }: { onClose: () => void }) => {
  const w = wordsOf(words)
  const stuck = scans.value.filter(({ state }) => state === 'stuck').length
  return (
    <Panel title={w.conflicts} close={w.back} onClose={onClose}>
      {stuck > 0 && <p role="alert">{w.stuck(stuck)}</p>}
      <p class="second">{unacknowledgedRejectedScans.value.length === 0 ? w.noConflicts : w.conflictsFor}</p>
      <ul class="found">
        {unacknowledgedRejectedScans.value.map((deviation) => (
          <li key={deviation.clientId}>
            <div>
              <strong dir="auto">{deviation.name || deviation.publicId}</strong>
              <small dir="auto">
                {[
                  deviation.ticketTitle,
                  w.scannedAt(showTime(deviation.scannedAt)),
                  deviation.message,
                  deviation.redeemedAt && w.inSince(showTime(deviation.redeemedAt)),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </div>
            <button type="button" onClick={() => void acknowledge(deviation.clientId)}>
              {w.seen}
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
