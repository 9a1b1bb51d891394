import { memo } from 'react'
import { RowLink } from '../../ui/row-link.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import type { PartySummary } from './rules.ts'
import { guestWords } from './words.ts'

interface PartyRowProps {
  slug: string
  party: PartySummary
  isPicked: boolean
  onPick: (publicId: string) => void
}

/** Drawn anew only when something about its party has changed. */
export const PartyRow = memo(({ slug, party, isPicked, onPick }: PartyRowProps) => {
  const words = useWords(guestWords)
  const { public_id: id, customer_name: name, party_size: size, arrived_count: arrived } = party
  return (
    <div className={classes.row} data-picked={isPicked || undefined}>
      <label className={classes.pick}>
        <input type="checkbox" checked={isPicked} onChange={() => onPick(id)} aria-label={words.pick(name)} />
      </label>
      <RowLink path={`/events/${encodeURIComponent(slug)}/guests/${id}`} className={classes.party}>
        <span className={classes.who}>
          <bdi className={classes.name}>{name}</bdi>
          {size > 1 && <span className={classes.plus}>{`+${size - 1}`}</span>}
        </span>
        <span className={classes.ticket} dir="auto">
          {ticketAndPlaces(party)}
        </span>
        <span className={classes.note} dir="auto">
          {[party.customer_company, party.staff_note].filter(Boolean).join(' · ')}
        </span>
        <span className={classes.state} data-state={party.arrival_state}>
          {arrived > 0 && (arrived === size ? words.allIn : words.arrivedOf(arrived, size))}
        </span>
      </RowLink>
    </div>
  )
})
PartyRow.displayName = 'PartyRow'

/** A standing area is often called like its ticket, and then named once. */
const ticketAndPlaces = ({ ticket_title: title, place_labels: labels }: PartySummary) =>
  [title, labels.filter((label) => label !== title).join(', ')].filter(Boolean).join(' · ')
