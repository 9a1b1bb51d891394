import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../ui/format.ts'
import { Paper } from '../../ui/paper.tsx'
import { PrintedQrCode } from '../../ui/qr-code.tsx'
import classes from './labels.module.css'
import { eventQuery } from './queries.ts'
import { type Party, liveAdmissions } from './rules.ts'

interface LabelsProps {
  slug: string
  parties: readonly Party[]
  onDone: () => void
}

/** A label for each person: the code that the door reads, and what stands on their ticket. Shown on paper alone. */
const Labels = ({ slug, parties, onDone }: LabelsProps) => {
  const event = useQuery(eventQuery(slug))
  const { date } = useFormat()
  if (!event.data) return null
  const { title, starts_at, time_zone } = event.data
  return (
    <Paper onDone={onDone}>
      <div className={classes.sheet}>
        {parties.flatMap((party) =>
          liveAdmissions(party).map((admission) => (
            <section key={admission.public_id} className={classes.label}>
              <PrintedQrCode content={admission.public_id} className={classes.code} />
              <div>
                <strong dir="auto">{admission.attendee_name}</strong>
                <span dir="auto">{[party.ticket_title, admission.place_label].filter(Boolean).join(' · ')}</span>
                <span>{admission.display_check_in_code}</span>
                <span dir="auto">{`${title} · ${date(starts_at, time_zone, 'day')}`}</span>
              </div>
            </section>
          )),
        )}
      </div>
    </Paper>
  )
}

export default Labels
