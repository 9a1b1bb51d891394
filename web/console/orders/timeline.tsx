import { Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormat } from '../../ui/format.ts'
import { isManager, useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './orders.module.css'
import { type Admission, type Order, type TimelineEntry, timelineOf } from './rules.ts'
import { orderWords } from './words.ts'

const namesOf = (admissions: readonly Admission[]) => admissions.map(({ attendee_name }) => attendee_name).join(', ')

/** Money and tickets in the order in which things happened to them. */
export const Timeline = ({ order, zone }: { order: Order; zone: string }) => {
  const words = useWords(orderWords)
  const { date, money } = useFormat()
  return (
    <section className={classes.timeline} aria-label={words.timeline.title}>
      <Title order={2} size="lg">
        {words.timeline.title}
      </Title>
      <ol>
        {timelineOf(order).map((entry) => {
          const amount = amountOf(entry, order)
          return (
            <li key={entry.key} data-kind={entry.kind}>
              <div className={classes.entry}>
                <EntryText order={order} entry={entry} />
                <span className={classes.quiet}>{date(entry.at, zone, 'moment')}</span>
              </div>
              {amount && <span className={classes.amount}>{money(amount, order.currency)}</span>}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** What came in, or with a minus what went out. */
const amountOf = (entry: TimelineEntry, { total }: Order): string | null => {
  switch (entry.kind) {
    case 'placed':
      return total
    case 'voucher':
    case 'due':
      return entry.amount
    case 'payment':
      return entry.payment.amount
    case 'refund':
      return `-${entry.refund.amount}`
    default:
      return null
  }
}

const EntryText = ({ order, entry }: { order: Order; entry: TimelineEntry }): ReactNode => {
  const words = useWords(orderWords)
  const { money, number } = useFormat()
  const tickets = (count: number) => words.tickets(number(count), count === 1)
  switch (entry.kind) {
    case 'placed':
      return (
        <strong>
          {entry.tickets === 0 ? words.timeline.placedVouchers : words.timeline.placed(tickets(entry.tickets))}
        </strong>
      )
    case 'voucher':
      return <VoucherText entry={entry} />
    case 'payment':
      return <PaymentText entry={entry} />
    case 'receipt':
      return <span>{(entry.isRefund ? words.timeline.refundReceipt : words.timeline.receipt)(entry.number)}</span>
    case 'refund':
      return <RefundText order={order} entry={entry} />
    case 'payout':
      return <span>{words.timeline.payout(money(entry.amount, order.currency))}</span>
    case 'came_in':
      return <strong dir="auto">{words.timeline.cameIn(namesOf(entry.admissions))}</strong>
    case 'cancelled':
      return <strong>{words.timeline.cancelled(tickets(entry.tickets))}</strong>
    default:
      return <span>{words.timeline.expected}</span>
  }
}

type Of<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>

const VoucherText = ({ entry }: { entry: Of<'voucher'> }) => {
  const words = useWords(orderWords)
  const { role } = useSession()
  const text = words.timeline.voucher(entry.code)
  return (
    <strong>
      {isManager(role) ? (
        <Link to="/vouchers/$voucher" params={{ voucher: entry.id }}>
          {text}
        </Link>
      ) : (
        text
      )}
    </strong>
  )
}

const PaymentText = ({ entry: { payment } }: { entry: Of<'payment'> }) => {
  const words = useWords(orderWords)
  const { timeline, methods } = words
  return (
    <>
      <strong>{(payment.by_hand ? timeline.byHand : timeline.payment)(methods[payment.payment_method])}</strong>
      {payment.reference && <span dir="auto">{payment.reference}</span>}
    </>
  )
}

const RefundText = ({ order, entry: { refund, ended } }: { order: Order; entry: Of<'refund'> }) => {
  const words = useWords(orderWords)
  const { money } = useFormat()
  const show = (amount: string) => money(amount, order.currency)
  const shares = [
    Number(refund.voucher_amount) > 0 && words.timeline.toVouchers(show(refund.voucher_amount)),
    Number(refund.payment_amount) > 0 && words.timeline.toPayments(show(refund.payment_amount)),
    refund.actor && words.timeline.by(refund.actor),
  ]
  return (
    <>
      <strong>{words.timeline.refund}</strong>
      <span>{shares.filter(Boolean).join(', ')}</span>
      {refund.reason && <span dir="auto">{refund.reason}</span>}
      {order.event !== null && (
        <span dir="auto">{ended.length > 0 ? words.timeline.ended(namesOf(ended)) : words.timeline.stayed}</span>
      )}
    </>
  )
}
