import { Title } from '@mantine/core'
import { formatCents } from '../../ui/amounts.ts'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import classes from './orders.module.css'
import { type Order, refundableCents, ticketStateOf } from './rules.ts'
import { orderWords } from './words.ts'

interface OrderFactsProps {
  order: Order
  zone: string
}

/** What was bought, what was paid for it, and which tickets there are. */
export const OrderFacts = ({ order, zone }: OrderFactsProps) => (
  <div className={classes.sections}>
    <Sums order={order} />
    {order.admissions.length > 0 && <Tickets order={order} zone={zone} />}
    <Items order={order} />
    <Buyer order={order} />
  </div>
)

const Sums = ({ order }: { order: Order }) => {
  const { sums } = useWords(orderWords)
  const { money } = useFormat()
  const { currency } = order
  const kept = formatCents(refundableCents(order), currency)
  const lines: { name: string; amount: string; isStrong?: boolean }[] = [
    { name: sums.total, amount: order.total, isStrong: true },
    ...(Number(order.voucher_total) > 0 ? [{ name: sums.vouchers, amount: order.voucher_total }] : []),
    { name: sums.paid, amount: order.paid },
    ...(order.status === 'unpaid' ? [{ name: sums.due, amount: order.due, isStrong: true }] : []),
    ...(Number(order.refunded) > 0
      ? [
          { name: sums.refunded, amount: order.refunded },
          { name: sums.kept, amount: kept, isStrong: true },
        ]
      : []),
  ]
  return (
    <section aria-label={sums.title}>
      <Title order={2} size="lg">
        {sums.title}
      </Title>
      <dl className={classes.sums}>
        {lines.map(({ name, amount, isStrong }) => (
          <div key={name} data-strong={isStrong || undefined}>
            <dt>{name}</dt>
            <dd>{money(amount, currency)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const Tickets = ({ order, zone }: OrderFactsProps) => {
  const words = useWords(orderWords)
  const { date, money } = useFormat()
  return (
    <section aria-label={words.ofTickets}>
      <Title order={2} size="lg">
        {words.ofTickets}
      </Title>
      <ul className={classes.list}>
        {order.admissions.map((admission) => (
          <li key={admission.public_id} data-over={admission.status === 'active' ? undefined : true}>
            <span>
              <bdi className={classes.name}>{admission.attendee_name}</bdi>
              <br />
              <span className={classes.quiet} dir="auto">
                {[admission.ticket_title, admission.place_label, money(admission.price, order.currency)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <span className={classes.quiet}>
              {admission.redeemed_at === null
                ? words.admission[ticketStateOf(order, admission)]
                : words.admission.in(date(admission.redeemed_at, zone, 'time'))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Items = ({ order }: { order: Order }) => {
  const words = useWords(orderWords)
  const { money, number } = useFormat()
  return (
    <section aria-label={words.items}>
      <Title order={2} size="lg">
        {words.items}
      </Title>
      <ul className={classes.list}>
        {order.items.map(({ title, quantity, unit_price, total }) => (
          <li key={`${title} ${unit_price}`}>
            <span>
              <span dir="auto">{title}</span>
              <br />
              <span className={classes.quiet}>{`${number(quantity)} × ${money(unit_price, order.currency)}`}</span>
            </span>
            <span className={classes.amount}>{money(total, order.currency)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Buyer = ({ order: { customer } }: { order: Order }) => {
  const words = useWords(orderWords)
  const lines = [
    customer.customer_name,
    customer.customer_company,
    customer.billing_street,
    [customer.billing_postal_code, customer.billing_city].filter(Boolean).join(' '),
    customer.billing_country,
    customer.billing_vat_id,
    customer.customer_email,
    customer.customer_phone,
  ].filter((line): line is string => Boolean(line))
  return (
    <section aria-label={words.buyer}>
      <Title order={2} size="lg">
        {words.buyer}
      </Title>
      {lines.map((line) => (
        <div key={line} dir="auto">
          {line}
        </div>
      ))}
    </section>
  )
}
