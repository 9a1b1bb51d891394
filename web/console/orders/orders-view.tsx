import { Button, NativeSelect, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { memo, useCallback, useMemo } from 'react'
import { BackLink } from '../../ui/back-link.tsx'
import { useEventRefresh } from '../../ui/event-refresh.ts'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { RowLink } from '../../ui/row-link.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { isManager, useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useTypedText } from '../../ui/typed-text.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './orders.module.css'
import { eventQuery, exportPath, ordersQuery } from './queries.ts'
import { type ListedOrder, STATUS_FILTERS } from './rules.ts'
import { StatusTag } from './status-tag.tsx'
import { orderWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/orders')

/** What the shop has sold of one event. */
export const OrdersView = () => {
  const words = useWords(orderWords)
  const { slug } = route.useParams()
  const event = useQuery(eventQuery(slug))
  useEventRefresh(slug)
  usePageTitle(words.title, event.data?.title)
  return (
    <>
      <BackLink to="/events/$slug" params={{ slug }}>
        <span dir="auto">{event.data?.title ?? words.backToEvent}</span>
      </BackLink>
      <header className={classes.head}>
        <Title order={1} size="h2">
          {words.title}
        </Title>
        <Button component="a" href={exportPath(slug)} download variant="default">
          {words.save}
        </Button>
      </header>
      <FoundOrders slug={slug} zone={event.data?.time_zone ?? 'UTC'} />
    </>
  )
}

const keyOf = ({ public_id }: ListedOrder) => public_id

const FoundOrders = ({ slug, zone }: { slug: string; zone: string }) => {
  const words = useWords(orderWords)
  const { text: stored = '', status = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  const [text, setText] = useTypedText(
    stored,
    (typed) =>
      void navigate({
        search: ({ text: _before, ...rest }) => (typed ? { ...rest, text: typed } : rest),
        replace: true,
      }),
  )
  const query = useInfiniteQuery({
    ...ordersQuery(slug, { text: stored.trim(), status }),
    // What was found before stays until there is something else.
    placeholderData: (before) => before,
  })
  // A new order moves the others to the next page, where they were read already.
  const orders = useMemo(
    () => [...new Map(query.data?.pages.flatMap((page) => page.orders).map((order) => [keyOf(order), order])).values()],
    [query.data],
  )
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, hasNextPage, isFetchingNextPage])
  const renderRow = useCallback((order: ListedOrder) => <OrderRow order={order} zone={zone} />, [zone])
  const isSearching = stored !== '' || status !== 'all'
  const showAll = () => {
    setText('')
    void navigate({ search: {} })
  }

  return (
    <>
      <div className={classes.toolbar} role="search">
        <SearchField className={classes.searchField} label={words.search} text={text} onText={setText} />
        <NativeSelect
          aria-label={words.filter}
          value={status}
          onChange={({ currentTarget: { value } }) => {
            const chosen = STATUS_FILTERS.find((each) => each === value)
            void navigate({
              search: ({ status: _before, ...rest }) =>
                chosen && chosen !== 'all' ? { ...rest, status: chosen } : rest,
            })
          }}
          data={STATUS_FILTERS.map((value) => ({ value, label: words.filters[value] }))}
        />
      </div>
      {query.isPending && <LoadingRows rows={8} height={56} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && orders.length === 0 && isSearching && (
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
      {query.data && orders.length === 0 && !isSearching && <NoOrders slug={slug} />}
      {orders.length > 0 && (
        <VirtualList
          items={orders}
          keyOf={keyOf}
          label={words.list}
          estimate={60}
          renderRow={renderRow}
          onNearEnd={readOn}
        />
      )}
    </>
  )
}

const NoOrders = ({ slug }: { slug: string }) => {
  const words = useWords(orderWords)
  const { account, role } = useSession()
  const event = useQuery(eventQuery(slug))
  const isOffered = event.data?.published === true
  return (
    <EmptyState
      title={words.none}
      action={
        isOffered ? (
          <Button
            component="a"
            href={`${account.shop_url}/events/${encodeURIComponent(slug)}`}
            target="_blank"
            rel="noreferrer"
          >
            {words.toShop}
          </Button>
        ) : isManager(role) ? (
          <Button renderRoot={(props) => <Link to="/events/$slug/setup" params={{ slug }} {...props} />}>
            {words.publish}
          </Button>
        ) : undefined
      }
    >
      {words.noneMore}
    </EmptyState>
  )
}

/** Drawn anew only when something about its order has changed. */
const OrderRow = memo(({ order, zone }: { order: ListedOrder; zone: string }) => {
  const words = useWords(orderWords)
  const { date, money, number } = useFormat()
  const { status, admissions_count: count, currency } = order
  const isPartlyBack = status === 'paid' && Number(order.refunded) > 0
  return (
    <RowLink path={`/orders/${encodeURIComponent(order.public_id)}`} className={classes.row}>
      <span className={classes.who}>
        <bdi className={classes.name}>{order.customer_name}</bdi>
        <span className={classes.quiet}>{order.display_number}</span>
      </span>
      <span className={classes.what}>
        {words.tickets(number(count), count === 1)} · {date(order.created_at, zone, 'moment')}
      </span>
      <span className={classes.state}>
        <StatusTag status={status} />
        {status === 'unpaid' && (
          <span className={classes.quiet}>
            {order.payment_due_at === null
              ? words.due(money(order.due, currency))
              : words.dueUntil(money(order.due, currency), date(order.payment_due_at, zone, 'day'))}
          </span>
        )}
        {isPartlyBack && <span className={classes.quiet}>{words.partlyBack(money(order.refunded, currency))}</span>}
      </span>
      <span className={classes.sum}>{money(order.total, currency)}</span>
    </RowLink>
  )
})
OrderRow.displayName = 'OrderRow'
