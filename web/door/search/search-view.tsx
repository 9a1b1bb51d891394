import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Panel } from '../base/panel.tsx'
import { showTime, wordsOf } from '../base/language.ts'
import { chosenEvents, scanMode } from '../base/state.ts'
import type { Ticket } from '../base/ticket.ts'
import { isInMemory } from '../base/tickets.ts'
import { SEARCH_LETTERS_MIN, findByName } from './find-names.ts'
import { words } from './words.ts'

export const SearchView = ({ onPick, onClose }: { onPick: (ticket: Ticket) => void; onClose: () => void }) => {
  const w = wordsOf(words)
  const typed = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const isWhole = chosenEvents.value.every(({ slug }) => isInMemory(slug))
  const found = findByName(typed.value)
  return (
    <Panel title={w.title} close={w.back} onClose={onClose}>
      <label class="field">
        {w.label}
        <input
          ref={field}
          type="search"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="search"
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      <p class="second" role="status">
        {typed.value.trim().length < SEARCH_LETTERS_MIN
          ? w.hint
          : found.length === 0
            ? isWhole
              ? w.none
              : w.opening
            : found.length >= 50
              ? w.more
              : ''}
      </p>
      <ul class="found">
        {found.map((ticket) => (
          <li key={ticket.publicId}>
            <div>
              <strong dir="auto">{ticket.attendeeName}</strong>
              <small dir="auto">
                {[
                  ticket.buyerName !== ticket.attendeeName && ticket.buyerName,
                  ticket.ticketTitle,
                  ticket.placeLabel,
                  ticket.isInside && ticket.redeemedAt && w.isIn(showTime(ticket.redeemedAt)),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </div>
            <button type="button" onClick={() => onPick(ticket)}>
              {scanMode.value === 'exit' ? w.letOut : w.letIn}
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
