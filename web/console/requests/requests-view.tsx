import { Button, Group, SegmentedControl, Select, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BackLink } from '../../ui/back-link.tsx'
import { useLiveSummaries, useEventSummary } from '../../ui/event-summaries.ts'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useTypedText } from '../../ui/typed-text.ts'
import { useWords } from '../../ui/words.ts'
import { eventQuery, linksQuery } from './queries.ts'
import { RequestQueue } from './request-queue.tsx'
import classes from './requests.module.css'
import { STATUSES, type SignupLink } from './rules.ts'
import { requestWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/requests')

/** Who would like to come to an event, and what is decided about them. */
export const RequestsView = () => {
  const words = useWords(requestWords)
  const { slug } = route.useParams()
  const { status = 'pending', link = '', text: stored = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [text, setText] = useTypedText(
    stored,
    (typed) => void navigate({ search: (before) => ({ ...before, text: typed || undefined }), replace: true }),
  )
  const event = useQuery(eventQuery(slug))
  const links = useQuery(linksQuery(slug))
  useLiveSummaries()
  usePageTitle(words.requests, event.data?.title)

  const failed = event.error ?? links.error
  return (
    <>
      <BackLink to="/events/$slug" params={{ slug }}>
        <span dir="auto">{event.data?.title ?? slug}</span>
      </BackLink>
      <Head slug={slug} links={links.data ?? []}>
        <SearchField className={classes.searchField} label={words.search} text={text} onText={setText} />
      </Head>
      {failed && !(event.data && links.data) ? (
        <ErrorState error={failed} onRetry={() => void Promise.all([event.refetch(), links.refetch()])} />
      ) : event.data && links.data ? (
        <RequestQueue
          key={`${slug} ${status} ${link}`}
          asked={{ slug, status, linkId: link }}
          zone={event.data.time_zone}
          links={links.data}
          empty={<NoRequests slug={slug} />}
          text={text}
          onText={setText}
        />
      ) : (
        <LoadingRows />
      )}
    </>
  )
}

const Head = ({ slug, links, children }: { slug: string; links: readonly SignupLink[]; children: ReactNode }) => {
  const words = useWords(requestWords)
  const { number } = useFormat()
  const { status = 'pending', link = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { summary } = useEventSummary(slug)
  const shown = links.filter(({ public_id }) => link === '' || public_id === link)
  const left = shown.reduce((sum, { remaining_capacity }) => sum + remaining_capacity, 0)
  return (
    <>
      <div className={classes.head}>
        <Title order={1} size="h2">
          {words.requests}
        </Title>
        <span className={classes.counts}>
          {summary && link === '' && <span>{words.waiting(number(summary.requests_waiting))}</span>}
          {links.length > 0 && <span>{words.left(number(left))}</span>}
          {typeof summary?.stock_left === 'number' && <span>{words.ticketsLeft(number(summary.stock_left))}</span>}
        </span>
      </div>
      <Group className={classes.toolbar} role="search">
        {children}
        <SegmentedControl
          aria-label={words.show}
          value={status}
          onChange={(value) =>
            void navigate({
              search: (before) => ({
                ...before,
                status: value === 'approved' || value === 'rejected' ? value : undefined,
              }),
            })
          }
          data={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
        />
        {links.length > 1 && (
          <Select
            className={classes.linkField}
            aria-label={words.link}
            value={link}
            onChange={(value) => void navigate({ search: (before) => ({ ...before, link: value || undefined }) })}
            data={[
              { value: '', label: words.allLinks },
              ...links.map(({ public_id, name }) => ({ value: public_id, label: name ?? words.unnamed })),
            ]}
            allowDeselect={false}
          />
        )}
      </Group>
    </>
  )
}

const NoRequests = ({ slug }: { slug: string }) => {
  const words = useWords(requestWords)
  const { status = 'pending' } = route.useSearch()
  return (
    <EmptyState
      title={words.none[status]}
      action={
        <Button
          renderRoot={(props) => <Link to="/events/$slug/signup" params={{ slug }} {...props} />}
          variant="default"
        >
          {words.toLinks}
        </Button>
      }
    >
      {words.noneMore[status]}
    </EmptyState>
  )
}
