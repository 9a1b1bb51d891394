import { useSignal } from '@preact/signals'
import type { AttemptKind } from '../../../src/door/rules.ts'
import { showTime, wordsOf } from '../base/language.ts'
import { isAdmitting } from '../base/scan-record.ts'
import { isOnline } from '../base/state.ts'
import type { Ticket } from '../base/ticket.ts'
import { findTicketsOfPair, findTicketsOfParty } from '../base/tickets.ts'
import type { Judgement } from './judge.ts'
import { Party } from './party.tsx'
import { VerdictSign } from './signs.tsx'
import { words } from './words.ts'

export interface ShownVerdict extends Judgement {
  kind: AttemptKind
  /** Which scan since the app was opened, for whoever watches from outside. */
  number: number
  /** Which door let them in, once it is known. */
  by: string | null
  isHere: boolean
}

interface Props {
  shown: ShownVerdict
  onClose: () => void
  onAdmit: (tickets: readonly Ticket[]) => void
  /** Null where nobody may. */
  onOverride: (() => void) | null
  onUndo: (() => void) | null
}

/** Fills the screen: a colour, a sign, one word, and what to say to the guest. */
export const VerdictScreen = ({ shown, onClose, onAdmit, onOverride, onUndo }: Props) => {
  const w = wordsOf(words)
  const { verdict, ticket, kind } = shown
  const isIn = isAdmitting(verdict)
  const party = kind === 'entry' && isIn && ticket ? findTicketsOfParty(ticket) : []
  return (
    <section class={`verdict ${isIn ? 'lets-in' : 'refuses'}`} data-verdict={verdict} data-scan={shown.number}>
      <div class="verdict-face">
        <VerdictSign verdict={verdict} />
        <p class="verdict-word">
          {kind === 'exit' && isIn ? w.out : kind === 'annulment' && isIn ? w.takenBack : w.verdict[verdict]}
        </p>
        <p class="hidden-text">{isIn ? w.letsIn : w.refuses}</p>
        <Why key={shown.number} shown={shown} />
      </div>
      {ticket && verdict !== 'unknown' && <Guest ticket={ticket} />}
      {ticket?.staffNote && isIn && (
        <p class="note" dir="auto">
          {ticket.staffNote}
        </p>
      )}
      {party.length > 1 && <Party key={shown.number} members={party} onAdmit={onAdmit} />}
      <div class="verdict-buttons">
        {onUndo && (
          <button type="button" onClick={onUndo}>
            {w.undo}
          </button>
        )}
        {onOverride && (
          <button type="button" onClick={onOverride}>
            {w.override}
          </button>
        )}
        <button type="button" class="main" onClick={onClose}>
          {verdict === 'in_note' ? w.read : w.next}
        </button>
      </div>
    </section>
  )
}

const Why = ({ shown: { verdict, reason, ticket, eventTitle, by, isHere } }: { shown: ShownVerdict }) => {
  const w = wordsOf(words)
  // Said as it was when the verdict fell.
  const hadLine = useSignal(isOnline.peek())
  if (verdict === 'already' && ticket?.redeemedAt) {
    const door = isHere ? w.byThisPhone : by && w.by(by)
    return (
      <p class="why">
        {w.since(showTime(ticket.redeemedAt))} {door}
      </p>
    )
  }
  if (verdict === 'wrong_event') return <p class="why">{w.isFor(eventTitle ?? '')}</p>
  if (verdict === 'unknown') return <p class="why">{hadLine.value ? w.unknownOnline : w.unknownOffline}</p>
  if (verdict === 'unpaid') return <p class="why">{w.unpaid}</p>
  if (verdict !== 'refused' || reason === null) return null
  return <p class="why">{(w.reasons as Record<string, string>)[reason] ?? reason}</p>
}

const Guest = ({ ticket }: { ticket: Ticket }) => {
  const w = wordsOf(words)
  const pair = ticket.pairKey === null ? [] : findTicketsOfPair(ticket)
  const place = (w.accessibility as Record<string, string>)[ticket.accessibility ?? '']
  return (
    <div class="guest">
      <p class="guest-name" dir="auto">
        {ticket.attendeeName}
      </p>
      <p dir="auto">
        {ticket.color && <span class="swatch" style={{ background: ticket.color }} />}
        {[ticket.ticketTitle, ticket.placeLabel, ticket.isGuest ? w.guestList : null, place]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {pair.length > 1 && (
        <p class="pair">
          {w.pair}: {pair.map(({ attendeeName, placeLabel }) => `${attendeeName} (${placeLabel})`).join(' + ')}
        </p>
      )}
    </div>
  )
}
