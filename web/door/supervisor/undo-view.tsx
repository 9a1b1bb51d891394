import { useSignal } from '@preact/signals'
import { ANNULMENT_MINUTES, REASON_MAX } from '../../../src/door/rules.ts'
import { currentMinute, serverNow } from '../base/clock.ts'
import { showTime, wordsOf } from '../base/language.ts'
import { Panel } from '../base/panel.tsx'
import { isAdmitting } from '../base/scan-record.ts'
import { scans } from '../base/state.ts'
import type { Ticket } from '../base/ticket.ts'
import { findTicketInMemory } from '../base/tickets.ts'
import { words } from './words.ts'

const SHOWN_MAX = 30

/** Who came in on this phone and is still in, newest first. */
const findUndoable = (): { ticket: Ticket; at: string }[] => {
  void currentMinute.value
  const earliest = serverNow().getTime() - ANNULMENT_MINUTES * 60_000
  const found = new Map<string, { ticket: Ticket; at: string }>()
  for (const scan of scans.value.toReversed()) {
    const at = scan.acceptedAt ?? scan.scannedAt
    if (Date.parse(at) < earliest || found.size >= SHOWN_MAX) break
    if (scan.kind !== 'entry' || !isAdmitting(scan.verdict) || found.has(scan.publicId)) continue
    const ticket = findTicketInMemory(scan.publicId, null)
    if (ticket?.isInside) found.set(scan.publicId, { ticket, at })
  }
  return Array.from(found.values())
}

export const UndoView = ({
  only,
  onUndo,
  onClose,
}: {
  /** The ticket that was just let in, where it is about that one. */
  only: string | null
  onUndo: (ticket: Ticket, reason: string) => void
  onClose: () => void
}) => {
  const w = wordsOf(words)
  const picked = useSignal<string | null>(only)
  const typed = useSignal('')
  const undoable = findUndoable()
  const chosen = undoable.find(({ ticket }) => ticket.publicId === picked.value)
  if (chosen) {
    return (
      <Panel title={w.undo} close={w.back} onClose={onClose}>
        <p>
          <strong dir="auto">{chosen.ticket.attendeeName}</strong> · {showTime(chosen.at)}
        </p>
        <h3>{w.why}</h3>
        <div class="reasons">
          {Object.values(w.reasons).map((reason) => (
            <button key={reason} type="button" onClick={() => onUndo(chosen.ticket, reason)}>
              {reason}
            </button>
          ))}
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (typed.value.trim()) onUndo(chosen.ticket, typed.value.trim())
          }}
        >
          <label class="field">
            {w.other}
            <input
              value={typed.value}
              maxLength={REASON_MAX}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={typed.value.trim() === ''}>
            {w.undo}
          </button>
        </form>
      </Panel>
    )
  }
  return (
    <Panel title={w.undo} close={w.back} onClose={onClose}>
      <p class="second">{undoable.length === 0 ? w.noUndo : w.undoFor}</p>
      <ul class="found">
        {undoable.map(({ ticket, at }) => (
          <li key={ticket.publicId}>
            <div>
              <strong dir="auto">{ticket.attendeeName}</strong>
              <small>
                {ticket.ticketTitle} · {showTime(at)}
              </small>
            </div>
            <button type="button" onClick={() => (picked.value = ticket.publicId)}>
              {w.undo}
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
