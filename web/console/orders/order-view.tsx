import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { BackLink } from '../../ui/back-link.tsx'
import { useEventRefresh } from '../../ui/event-refresh.ts'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { OrderActions } from './order-actions.tsx'
import { OrderFacts } from './order-facts.tsx'
import classes from './orders.module.css'
import { Payouts } from './payouts.tsx'
import { eventOfOrderQuery, orderQuery } from './queries.ts'
import type { Order } from './rules.ts'
import { StatusTag } from './status-tag.tsx'
import { Timeline } from './timeline.tsx'
import { orderWords } from './words.ts'

const route = getRouteApi('/frame/orders/$order')

/** One order: what became of its money and its tickets, and what can be done about it. */
export const OrderView = () => {
  const words = useWords(orderWords)
  const { order: publicId } = route.useParams()
  const query = useQuery(orderQuery(publicId))
  const event = query.data?.event
  useEventRefresh(event?.slug ?? null)
  usePageTitle(query.data ? words.number(query.data.display_number) : words.one, event?.title)
  return (
    <>
      {event && (
        <BackLink to="/events/$slug/orders" params={{ slug: event.slug }}>
          {words.backToList}
        </BackLink>
      )}
      {query.isPending && <LoadingRows rows={3} height={96} />}
      {query.isError && !query.data && (
        <ErrorState level={1} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data && <OrderHome key={publicId} order={query.data} />}
    </>
  )
}

/** Times are those of the event; of vouchers, which have none, those of the account. */
const useZone = (order: Order): string => {
  const { account } = useSession()
  const event = useQuery(eventOfOrderQuery(order))
  return event.data?.time_zone ?? account.time_zone
}

const OrderHome = ({ order }: { order: Order }) => {
  const words = useWords(orderWords)
  const { date } = useFormat()
  const zone = useZone(order)
  const { customer } = order
  const facts = [
    words.number(order.display_number),
    order.event?.title ?? words.vouchersOnly,
    date(order.created_at, zone, 'moment'),
    customer.customer_email ?? words.noAddress,
    customer.customer_phone,
  ]
  return (
    <>
      <header>
        <div className={classes.state}>
          <Title order={1} size="h2" dir="auto">
            {customer.customer_name}
          </Title>
          <StatusTag status={order.status} />
        </div>
        <p className={classes.facts}>
          {facts.filter(Boolean).map((fact) => (
            <span key={fact} dir="auto">
              {fact}
            </span>
          ))}
        </p>
        <OrderActions order={order} />
      </header>
      <Payouts order={order} />
      <div className={classes.columns}>
        <Timeline order={order} zone={zone} />
        <OrderFacts order={order} zone={zone} />
      </div>
    </>
  )
}
