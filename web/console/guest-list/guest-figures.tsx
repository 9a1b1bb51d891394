import type { Schemas } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { guestWords } from './words.ts'

/** Counted by the server with the list itself, so that both are of one moment. */
export const GuestFigures = ({ list }: { list: Schemas['GuestPartySummaries'] }) => {
  const words = useWords(guestWords)
  const { number } = useFormat()
  const figures = [
    [words.guests, list.admission_count],
    [words.arrived, list.arrived_count],
    [words.missing, list.expected_count],
    [words.parties, list.guest_parties.length],
  ] as const
  return (
    <dl className={classes.figures}>
      {figures.map(([label, count]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{number(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
