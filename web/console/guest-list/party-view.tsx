import { Badge, Button, Group, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, lazy, useMemo, useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { useEventRefresh } from '../../ui/event-refresh.ts'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { Admissions } from './admissions.tsx'
import classes from './guest-list.module.css'
import { useMoveParties } from './move-parties.ts'
import { PartyForm } from './party-form.tsx'
import { PartyHistory } from './party-history.tsx'
import { eventQuery, partyQuery, ticketOptionsQuery, ticketsPath } from './queries.ts'
import type { Party } from './rules.ts'
import { guestWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/guests/$party')
const CancelDialog = lazy(() => import('./cancel-dialog.tsx'))
const MoveDialog = lazy(() => import('./move-dialog.tsx'))
const Labels = lazy(() => import('./labels.tsx'))

/** One party: who comes, where they sit, what is known of them, and what became of them. */
export const PartyView = () => {
  const words = useWords(guestWords)
  const { slug, party: publicId } = route.useParams()
  const query = useQuery(partyQuery(slug, publicId))
  const event = useQuery(eventQuery(slug))
  useEventRefresh(slug)
  usePageTitle(query.data?.customer_name ?? words.party, words.title, event.data?.title)
  return (
    <>
      <BackLink to="/events/$slug/guests" params={{ slug }}>
        {words.backToList}
      </BackLink>
      {query.isPending && <LoadingRows rows={3} height={96} />}
      {query.isError && !query.data && (
        <ErrorState level={1} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data && <PartyHome key={publicId} slug={slug} party={query.data} zone={event.data?.time_zone ?? 'UTC'} />}
    </>
  )
}

interface PartyHomeProps {
  slug: string
  party: Party
  zone: string
}

const PartyHome = ({ slug, party, zone }: PartyHomeProps) => {
  const words = useWords(guestWords)
  const { date } = useFormat()
  const isLive = party.status === 'paid'
  return (
    <>
      <header className={classes.partyHead}>
        <Group gap="sm" align="baseline">
          <Title order={1} size="h2" dir="auto">
            {party.customer_name}
          </Title>
          {!isLive && (
            <Badge color="bad" variant="light" tt="none" radius="sm">
              {words.cancelledTag}
            </Badge>
          )}
          {party.arrived_count > 0 && (
            <Badge color="good" variant="light" tt="none" radius="sm">
              {words.arrivedOf(party.arrived_count, party.party_size)}
            </Badge>
          )}
        </Group>
        <p className={classes.facts}>
          {[
            words.people(party.party_size),
            party.ticket_title,
            words.page.order(party.display_number),
            party.creator_name && words.page.addedBy(party.creator_name, date(party.created_at, zone, 'moment')),
          ]
            .filter(Boolean)
            .map((fact) => (
              <span key={fact} dir="auto">
                {fact}
              </span>
            ))}
        </p>
        {isLive && <PartyActions slug={slug} party={party} />}
      </header>
      <div className={classes.partyColumns}>
        <PartyForm slug={slug} party={party} isLive={isLive} />
        <div>
          <Admissions slug={slug} party={party} zone={zone} />
          <PartyHistory slug={slug} publicId={party.public_id} zone={zone} />
        </div>
      </div>
    </>
  )
}

const PartyActions = ({ slug, party }: { slug: string; party: Party }) => {
  const words = useWords(guestWords)
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<'cancel' | 'move' | 'print' | null>(null)
  const params = { path: { event_slug: slug, public_id: party.public_id } }
  const refresh = () => queries.invalidateQueries({ queryKey: ['events', slug] })
  const onError = (error: unknown) => showErrorToast(refusalSentence(error))

  const mail = useMutation({
    mutationFn: () =>
      dataOrThrow(
        api.PATCH('/admin/events/{event_slug}/guest_parties/{public_id}', { params, body: { deliver: true } }),
      ),
    onSuccess: async ({ delivery_email }) => {
      showToast(words.page.mailedTo(delivery_email ?? ''))
      await refresh()
    },
    onError,
  })
  const cancel = useMutation({
    mutationFn: () =>
      dataOrThrow(api.POST('/admin/events/{event_slug}/guest_parties/{public_id}/cancellation', { params })),
    onSuccess: async () => {
      setDialog(null)
      showToast(words.page.cancelled)
      await refresh()
    },
    onError,
  })

  const moved = useMemo(() => [party], [party])
  const options = useQuery({ ...ticketOptionsQuery(slug), enabled: dialog === 'move' })
  const moving = useMoveParties(slug, (_, isAll) => isAll && setDialog(null))

  return (
    <Group gap="xs" mt="sm">
      <Button
        size="compact-md"
        loading={mail.isPending}
        disabled={party.delivery_email === null}
        title={party.delivery_email === null ? words.page.noAddress : undefined}
        onClick={() => mail.mutate()}
      >
        {words.page.mail}
      </Button>
      <Button
        size="compact-md"
        variant="default"
        component="a"
        href={ticketsPath(slug, party.public_id)}
        target="_blank"
        rel="noreferrer"
      >
        {words.page.printTickets}
      </Button>
      <Button size="compact-md" variant="default" onClick={() => setDialog('print')}>
        {words.page.print}
      </Button>
      {party.cancellable && (
        <Button size="compact-md" variant="default" onClick={() => setDialog('move')}>
          {words.bulk.move}
        </Button>
      )}
      {party.cancellable && (
        <Button size="compact-md" variant="light" color="bad" onClick={() => setDialog('cancel')}>
          {words.page.cancelAll}
        </Button>
      )}
      <Suspense>
        {dialog === 'cancel' && (
          <CancelDialog
            title={words.bulk.cancelTitle(1)}
            people={party.party_size}
            isPending={cancel.isPending}
            onCancel={() => cancel.mutate()}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog === 'move' && options.data && (
          <MoveDialog
            slug={slug}
            parties={moved}
            options={options.data.filter(
              ({ id, inventory_kind }) => inventory_kind !== 'places' || id !== party.ticket_id,
            )}
            isPending={moving.isPending}
            error={moving.error}
            faults={moving.faults}
            onMove={moving.move}
            onClose={() => {
              moving.forget()
              setDialog(null)
            }}
          />
        )}
        {dialog === 'print' && <Labels slug={slug} parties={[party]} onDone={() => setDialog(null)} />}
      </Suspense>
    </Group>
  )
}
