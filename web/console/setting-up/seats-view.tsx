import { Button, SegmentedControl, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { type PlanPlace, countStates } from '../../ui/seat-plan/places.ts'
import { SeatPlan } from '../../ui/seat-plan/seat-plan.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { PickedSeats } from './picked-seats.tsx'
import {
  type Place,
  type Ticket,
  eventPathParams,
  placesQuery,
  invalidateEventQueries,
  ticketsQuery,
} from './queries.ts'
import { SeatGenerator } from './seat-generator.tsx'
import { seatWords } from './seat-words.ts'
import classes from './setting-up.module.css'
import { useChangePlaces } from './use-change-places.ts'

const route = getRouteApi('/frame/events/$slug/setup')

export const SeatsView = (): ReactNode => {
  const words = useWords(seatWords)
  const { slug } = route.useParams()
  const places = useQuery(placesQuery(slug))
  const tickets = useQuery(ticketsQuery(slug))
  const [isGenerating, setIsGenerating] = useState(false)
  const failed = [places, tickets].find(({ isError, data }) => isError && !data)

  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!places.data || !tickets.data) return <LoadingRows rows={2} height={160} />
  const seatTickets = tickets.data.filter(({ inventory_kind }) => inventory_kind === 'places')
  if (seatTickets.length === 0) return <NoSeatTicket slug={slug} />
  const generator = (
    <SeatGenerator slug={slug} tickets={seatTickets} places={places.data} close={() => setIsGenerating(false)} />
  )
  if (places.data.length === 0) {
    return isGenerating ? (
      generator
    ) : (
      <EmptyState title={words.none} action={<Button onClick={() => setIsGenerating(true)}>{words.generate}</Button>}>
        {words.noneMore}
      </EmptyState>
    )
  }
  return (
    <>
      {isGenerating && generator}
      <Plan
        slug={slug}
        places={places.data}
        tickets={seatTickets}
        {...(!isGenerating && { generate: () => setIsGenerating(true) })}
      />
    </>
  )
}

/** Places cannot be without a ticket, so the first step is to make one. */
const NoSeatTicket = ({ slug }: { slug: string }) => {
  const words = useWords(seatWords)
  const queries = useQueryClient()
  const creation = useMutation({
    mutationFn: () =>
      dataOrThrow(
        api.POST('/admin/events/{event_slug}/tickets', {
          params: eventPathParams(slug),
          body: { ticket: { title: words.ticketName, inventory_kind: 'places' } },
        }),
      ),
    onSuccess: () => invalidateEventQueries(queries),
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  return (
    <EmptyState
      title={words.noTicket}
      action={
        <Button loading={creation.isPending} onClick={() => creation.mutate()}>
          {words.makeTicket}
        </Button>
      }
    >
      {words.noTicketMore}
    </EmptyState>
  )
}

interface PlanProps {
  slug: string
  places: readonly Place[]
  tickets: readonly Ticket[]
  generate?: () => void
}

export const planPlaceOf = (place: Place, color: string | undefined): PlanPlace => ({
  key: place.key,
  label: place.label,
  section: place.section,
  row: place.row,
  seat: place.seat,
  state: place.claimed ? 'claimed' : place.blocked ? 'blocked' : 'free',
  accessibility: place.accessibility,
  color,
})

const Plan = ({ slug, places, tickets, generate }: PlanProps) => {
  const words = useWords(seatWords)
  const { number } = useFormat()
  const [tool, setTool] = useState<'pick' | 'block'>('pick')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const change = useChangePlaces(slug)
  const shown = useMemo(() => {
    const colors = new Map(tickets.map(({ id, color }) => [id, color]))
    return places.map((place) => planPlaceOf(place, colors.get(place.ticket_id)))
  }, [places, tickets])
  const byKey = useMemo(() => new Map(places.map((place) => [place.key, place])), [places])
  const counts = useMemo(() => countStates(shown), [shown])
  const picked = useMemo(
    () => Array.from(selected, (key) => byKey.get(key)).filter((place) => place !== undefined),
    [selected, byKey],
  )

  const block = (touched: readonly PlanPlace[], first: PlanPlace) => {
    const isBlocking = first.state !== 'blocked'
    const meant = touched.filter(({ state }) => state === (isBlocking ? 'free' : 'blocked'))
    const skipped = touched.filter(({ state }) => state === 'claimed').length
    if (skipped > 0) showToast(words.skipped(number(skipped)))
    if (meant.length === 0) return
    const ids = meant.map(({ key }) => byKey.get(key)!.id)
    void change(ids, { blocked: isBlocking }, (isBlocking ? words.blocked : words.unblocked)(number(ids.length)))
  }

  return (
    <>
      <div className={classes.toolbar}>
        <SegmentedControl
          aria-label={words.tool}
          value={tool}
          onChange={(value) => {
            setTool(value === 'block' ? 'block' : 'pick')
            setSelected(new Set())
          }}
          data={(['pick', 'block'] as const).map((value) => ({ value, label: words.tools[value] }))}
        />
        {generate && (
          <Button variant="default" leftSection={<PlusIcon size={16} />} onClick={generate}>
            {words.generate}
          </Button>
        )}
      </div>
      <Text size="sm" role="status">
        {words.summary(number(shown.length), number(counts.free), number(counts.blocked), number(counts.claimed))}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {tool === 'pick' ? words.pickHint : words.blockHint}
      </Text>
      <SeatPlan
        places={shown}
        selected={selected}
        onSelect={setSelected}
        isPickable={() => true}
        mode={tool}
        onBlock={block}
      />
      {picked.length > 0 && (
        <PickedSeats
          slug={slug}
          picked={picked}
          tickets={tickets}
          change={change}
          clear={() => setSelected(new Set())}
        />
      )}
    </>
  )
}
