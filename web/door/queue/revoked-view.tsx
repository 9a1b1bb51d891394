import { useSignal } from '@preact/signals'
import { withDatabase, clearStores, writeSetting } from '../base/database.ts'
import { wordsOf } from '../base/language.ts'
import { isUnsent } from '../base/scan-record.ts'
import { serverRejectedScans, pairedDevice, events, isRevoked, scans, unsentScans } from '../base/state.ts'
import { dropCachedTickets } from '../base/tickets.ts'
import { attemptOfScan } from './sync.ts'
import { words } from './words.ts'

/** Everything goes at once but the scans that nobody else has. */
export const wipeRevokedDevice = async (): Promise<void> => {
  const sent = scans.value.filter((scan) => !isUnsent(scan))
  await clearStores({ keepsScans: true })
  await withDatabase(async (db) => {
    const transaction = db.transaction('scans', 'readwrite')
    for (const { seq } of sent) void transaction.store.delete(seq!)
    await transaction.done
  })
  dropCachedTickets()
  scans.value = scans.value.filter(isUnsent)
  serverRejectedScans.value = []
  events.value = []
  pairedDevice.value = null
  if (scans.value.length > 0) await writeSetting('isRevoked', true)
  isRevoked.value = true
}

/** As the office hands it in. */
const exportText = () => JSON.stringify({ attempts: unsentScans.value.map(attemptOfScan) }, null, 2)

const save = () => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([exportText()], { type: 'application/json' }))
  link.download = 'foyer-scans.json'
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export const RevokedView = ({ onAgain }: { onAgain: () => void }) => {
  const w = wordsOf(words)
  const isTaken = useSignal(false)
  const count = unsentScans.value.length
  const wipe = async () => {
    await clearStores({ keepsScans: false })
    scans.value = []
  }
  return (
    <div class="pairing">
      <h1>{w.title}</h1>
      <p>{w.gone}</p>
      {count === 0 ? (
        <>
          <p>{w.nothing}</p>
          <button type="button" onClick={onAgain}>
            {w.again}
          </button>
        </>
      ) : (
        <>
          <p role="alert">{w.unsent(count)}</p>
          <p>{w.how}</p>
          <button
            type="button"
            class="main"
            onClick={() => {
              save()
              isTaken.value = true
            }}
          >
            {w.save}
          </button>
          <button
            type="button"
            onClick={() => void navigator.clipboard.writeText(exportText()).then(() => (isTaken.value = true))}
          >
            {w.copy}
          </button>
          <button type="button" disabled={!isTaken.value} onClick={() => void wipe()}>
            {w.wipe}
          </button>
        </>
      )}
    </div>
  )
}
