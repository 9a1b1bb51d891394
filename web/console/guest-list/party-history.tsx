import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../ui/format.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { historyQuery } from './queries.ts'
import { guestWords } from './words.ts'

/** What became of a party, newest first. */
export const PartyHistory = ({ slug, publicId, zone }: { slug: string; publicId: string; zone: string }) => {
  const words = useWords(guestWords)
  const { date } = useFormat()
  const query = useQuery(historyQuery(slug, publicId))
  return (
    <section aria-label={words.page.history} className={classes.history}>
      <Title order={2} size="lg" mb="xs">
        {words.page.history}
      </Title>
      {query.isPending && <LoadingRows rows={2} height={28} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      <ol>
        {query.data?.map(({ kind, at, by, attendee_name }) => (
          <li key={`${kind} ${at} ${attendee_name}`}>
            <span>
              {words.page.kinds[kind]}
              {attendee_name && <bdi>{`: ${attendee_name}`}</bdi>}
            </span>
            <span className={classes.quiet}>
              {[date(at, zone, 'moment'), by && words.page.by(by)].filter(Boolean).join(' ')}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
