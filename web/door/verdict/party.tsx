import { useSignal } from '@preact/signals'
import { entryRefusalReason } from '../../../src/door/rules.ts'
import { wordsOf } from '../base/language.ts'
import type { Ticket } from '../base/ticket.ts'
import { words } from './words.ts'

const isWaiting = ({ lastingReason, redeemedAt, isInside }: Ticket) => {
  const at = redeemedAt === null ? null : new Date(redeemedAt)
  return entryRefusalReason({ lastingReason, redeemedAt: at, leftAt: isInside ? null : at }) === null
}

/** Who came together: all of them at once, or those who are here; the rest later. Pairs stand beside each other. */
export const Party = ({
  members,
  onAdmit,
}: {
  members: readonly Ticket[]
  onAdmit: (tickets: readonly Ticket[]) => void
}) => {
  const w = wordsOf(words)
  const ticked = useSignal<ReadonlySet<string>>(new Set())
  const ordered = members.toSorted((one, other) => (one.pairKey ?? '~').localeCompare(other.pairKey ?? '~'))
  const waiting = ordered.filter(isWaiting)
  const chosen = waiting.filter(({ publicId }) => ticked.value.has(publicId))
  const toggle = (publicId: string) => {
    const next = new Set(ticked.value)
    if (!next.delete(publicId)) next.add(publicId)
    ticked.value = next
  }
  return (
    <div class="party">
      <h2>{w.party(members.length)}</h2>
      <ul>
        {ordered.map((member) => (
          <li key={member.publicId}>
            <label>
              <input
                type="checkbox"
                checked={!waiting.includes(member) || ticked.value.has(member.publicId)}
                disabled={!waiting.includes(member)}
                onChange={() => toggle(member.publicId)}
              />
              <span dir="auto">{member.attendeeName}</span>
              <small>
                {[member.pairKey && w.pair, member.placeLabel, stateOf(member, waiting.includes(member), w)]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </label>
          </li>
        ))}
      </ul>
      {waiting.length > 0 && (
        <div class="party-buttons">
          {chosen.length > 0 && chosen.length < waiting.length && (
            <button type="button" onClick={() => onAdmit(chosen)}>
              {w.ticked(chosen.length)}
            </button>
          )}
          <button type="button" class="all" onClick={() => onAdmit(waiting)}>
            {w.all(members.length)}
          </button>
        </div>
      )}
    </div>
  )
}

const stateOf = (member: Ticket, waits: boolean, w: { isIn: string; isOut: string; cannot: string }) => {
  if (waits) return w.isOut
  return member.isInside ? w.isIn : w.cannot
}
