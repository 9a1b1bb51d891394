import { Button, NativeSelect, SegmentedControl, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { BackLink } from '../../ui/back-link.tsx'
import { useEventRefresh } from '../../ui/event-refresh.ts'
import { useFormat } from '../../ui/format.ts'
import { PlusIcon, UploadIcon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { NoTickets } from '../../ui/no-tickets.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useTypedText } from '../../ui/typed-text.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import { BulkBar } from './bulk-bar.tsx'
import { GuestFigures } from './guest-figures.tsx'
import classes from './guest-list.module.css'
import { guestListQuery } from './list-query.ts'
import { PartyRow } from './party-row.tsx'
import { eventQuery, ticketOptionsQuery } from './queries.ts'
import { QuickAdd } from './quick-add.tsx'
import { type PartySummary, ARRIVAL_FILTERS, type TicketOption, filterParties, makeSearchable } from './rules.ts'
import { guestWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/guests')
const NO_OPTIONS: readonly TicketOption[] = []

/** Everybody on the list of one event, found as fast as one types. */
export const GuestListView = () => {
  const words = useWords(guestWords)
  const { slug } = route.useParams()
  const { add } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(guestListQuery(slug))
  const options = useQuery(ticketOptionsQuery(slug))
  const event = useQuery(eventQuery(slug))
  useEventRefresh(slug)
  usePageTitle(words.title, event.data?.title)
  const setAdding = (isAdding: boolean) =>
    void navigate({ search: ({ add: _before, ...rest }) => (isAdding ? { ...rest, add: true } : rest), replace: true })
  useShortcuts([{ keys: 'n', label: words.add, run: () => setAdding(true) }])

  return (
    <>
      <BackLink to="/events/$slug" params={{ slug }}>
        <span dir="auto">{event.data?.title ?? words.backToEvent}</span>
      </BackLink>
      <header className={classes.head}>
        <Title order={1} size="h2">
          {words.title}
        </Title>
        <div className={classes.headTools}>
          <Button leftSection={<PlusIcon size={16} />} onClick={() => setAdding(true)}>
            {words.add}
          </Button>
          <Button
            variant="default"
            leftSection={<UploadIcon size={16} />}
            renderRoot={(props) => <Link to="/events/$slug/guests/import" params={{ slug }} {...props} />}
          >
            {words.importTitle}
          </Button>
        </div>
      </header>
      {add && options.data?.length === 0 && (
        <NoTickets slug={slug} title={words.noTickets}>
          {words.noTicketsMore}
        </NoTickets>
      )}
      {add && query.data && options.data && options.data.length > 0 && (
        <QuickAdd
          slug={slug}
          parties={query.data.guest_parties}
          options={options.data}
          onClose={() => setAdding(false)}
        />
      )}
      {query.isPending && <LoadingRows rows={10} height={52} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <>
          <GuestFigures list={query.data} />
          <FoundGuests slug={slug} parties={query.data.guest_parties} options={options.data ?? NO_OPTIONS} />
        </>
      )}
    </>
  )
}

interface FoundGuestsProps {
  slug: string
  parties: readonly PartySummary[]
  options: readonly TicketOption[]
}

const keyOf = ({ public_id }: PartySummary) => public_id

/** After the list has been shown: what is searched is put together before somebody types. */
const PREPARE_MS = 200

/** What is typed is seen at once; the list follows when the machine has time. */
const FoundGuests = ({ slug, parties, options }: FoundGuestsProps) => {
  const words = useWords(guestWords)
  const { show = 'all', ticket, text: stored = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [text, setText] = useTypedText(
    stored,
    (typed) =>
      void navigate({
        search: ({ text: _before, ...rest }) => (typed ? { ...rest, text: typed } : rest),
        replace: true,
      }),
  )
  const wanted = useDeferredValue(text)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const listed = useMemo(() => makeSearchable(parties), [parties])
  useEffect(() => {
    const timer = setTimeout(listed.texts, PREPARE_MS)
    return () => clearTimeout(timer)
  }, [listed])
  const found = useMemo(
    () => filterParties(listed, { show, text: wanted, ticketId: ticket ?? null }),
    [listed, show, wanted, ticket],
  )
  const pick = useCallback((id: string) => setPicked((before) => before.symmetricDifference(new Set([id]))), [])
  const renderRow = useCallback(
    (party: PartySummary, { isPicked }: { isPicked: boolean }) => (
      <PartyRow slug={slug} party={party} isPicked={isPicked} onPick={pick} />
    ),
    [slug, pick],
  )
  const showAll = () => {
    setText('')
    void navigate({ search: {} })
  }

  return (
    <>
      <div className={classes.toolbar} role="search">
        <SearchField className={classes.searchField} label={words.search} text={text} onText={setText} />
        <Filters options={options} />
      </div>
      {parties.length === 0 && <EmptyState title={words.none}>{words.noneMore}</EmptyState>}
      {parties.length > 0 && found.length === 0 && (
        <EmptyState
          title={words.noneFound}
          action={
            <Button variant="default" onClick={showAll}>
              {words.showAll}
            </Button>
          }
        >
          {words.noneFoundMore}
        </EmptyState>
      )}
      {found.length > 0 && (
        <VirtualList
          items={found}
          keyOf={keyOf}
          label={words.list}
          estimate={53}
          picked={picked}
          onPick={pick}
          renderRow={renderRow}
          recyclesRows
        />
      )}
      {picked.size > 0 && (
        <BulkBar slug={slug} parties={parties} shown={found} options={options} picked={picked} onPicked={setPicked} />
      )}
    </>
  )
}

/** They stay as they are while somebody types. */
const Filters = memo(({ options }: { options: readonly TicketOption[] }) => {
  const words = useWords(guestWords)
  const { show = 'all', ticket } = route.useSearch()
  const navigate = route.useNavigate()
  const { number } = useFormat()
  const labelOf = ({ title, unlimited_stock, available_stock }: TicketOption) =>
    `${title} (${unlimited_stock ? words.quick.noLimit : words.quick.left(number(available_stock ?? 0))})`

  return (
    <>
      <SegmentedControl
        aria-label={words.show}
        value={show}
        onChange={(value) =>
          void navigate({
            search: ({ show: _before, ...rest }) => (value === 'all' ? rest : { ...rest, show: value }),
          })
        }
        data={ARRIVAL_FILTERS.map((value) => ({ value, label: words.shows[value] }))}
      />
      {options.length > 1 && (
        <NativeSelect
          aria-label={words.ticketFilter}
          className={classes.ticketFilter}
          value={ticket === undefined ? '' : String(ticket)}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              search: ({ ticket: _before, ...rest }) => (value === '' ? rest : { ...rest, ticket: Number(value) }),
            })
          }
          data={[
            { value: '', label: words.anyTicket },
            ...options.map((option) => ({ value: String(option.id), label: labelOf(option) })),
          ]}
        />
      )}
    </>
  )
})
Filters.displayName = 'Filters'
