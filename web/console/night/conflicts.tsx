import { Button, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useFormat } from '../../ui/format.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './night.module.css'
import { acknowledgeConflict, withdrawAcknowledgement } from './queries.ts'
import type { NightConflict } from './rules.ts'
import { nightWords } from './words.ts'

/** As many as somebody can see to before more are shown. */
const SHOWN_MAX = 20

interface ConflictsProps {
  slug: string
  conflicts: readonly NightConflict[]
  zone: string
}

/** Scans that somebody should look at, until somebody has. */
export const Conflicts = ({ slug, conflicts, zone }: ConflictsProps) => {
  const words = useWords(nightWords)
  const { number } = useFormat()
  const left = conflicts.length - SHOWN_MAX
  return (
    <section className={classes.panel} aria-label={words.conflicts} data-panel="conflicts">
      <Title order={2} size="lg">
        {words.conflicts} {conflicts.length > 0 && <span className={classes.count}>{number(conflicts.length)}</span>}
      </Title>
      <p className={classes.quiet}>{conflicts.length === 0 ? words.noConflicts : words.conflictsMore}</p>
      <ul className={classes.conflicts}>
        {conflicts.slice(0, SHOWN_MAX).map((conflict) => (
          <ConflictRow key={conflict.id} slug={slug} conflict={conflict} zone={zone} />
        ))}
      </ul>
      {left > 0 && <p className={classes.quiet}>{words.moreConflicts(number(left))}</p>}
    </section>
  )
}

const ConflictRow = ({ slug, conflict, zone }: { slug: string; conflict: NightConflict; zone: string }) => {
  const words = useWords(nightWords)
  const { date } = useFormat()
  const queries = useQueryClient()
  const onError = (error: unknown) => showErrorToast(refusalSentence(error))
  const withdrawal = useMutation({ mutationFn: () => withdrawAcknowledgement(queries, slug, conflict.id), onError })
  const acknowledgement = useMutation({
    mutationFn: () => acknowledgeConflict(queries, slug, conflict.id),
    onSuccess: () =>
      showToast(words.acknowledged(conflict.name), { label: words.undo, run: () => withdrawal.mutate() }),
    onError,
  })
  return (
    <li className={classes.conflict}>
      <div>
        <strong dir="auto">{conflict.name}</strong>
        <span dir="auto">{words.scannedAt(conflict.device, date(conflict.scanned_at, zone, 'time'))}</span>
        {conflict.redeemed_at !== null && (
          <span dir="auto">{words.firstAt(conflict.redeemed_by, date(conflict.redeemed_at, zone, 'time'))}</span>
        )}
      </div>
      <Button
        variant="default"
        aria-label={words.acknowledgeOf(conflict.name)}
        loading={acknowledgement.isPending}
        onClick={() => acknowledgement.mutate()}
      >
        {words.acknowledge}
      </Button>
    </li>
  )
}
