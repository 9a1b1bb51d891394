import { formatCents } from '../../ui/amounts.ts'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import classes from './orders.module.css'
import { type Order, type RefundPreview, isPaidOutByHand, refundableCents } from './rules.ts'
import { orderWords } from './words.ts'

interface RefundPreviewBoxProps {
  order: Order
  preview: RefundPreview
}

/** How much goes where, which tickets end, and who is told. */
export const RefundPreviewBox = ({ order, preview }: RefundPreviewBoxProps) => {
  const { refund: words } = useWords(orderWords)
  const { money } = useFormat()
  const { fault } = preview
  return (
    <section className={classes.preview} aria-label={words.preview} aria-live="polite">
      {fault === null ? (
        <Effects order={order} preview={preview} />
      ) : (
        <p>
          {fault === 'too_much'
            ? words.faults.too_much(money(formatCents(refundableCents(order), order.currency), order.currency))
            : words.faults[fault]}
        </p>
      )}
    </section>
  )
}

const Effects = ({ order, preview }: RefundPreviewBoxProps) => {
  const { refund: words } = useWords(orderWords)
  const { money, number } = useFormat()
  const { ending } = preview
  const { customer_email: address } = order.customer
  if (order.event === null) return <p>{words.ofVouchers}</p>
  return (
    <>
      <strong>{words.goesBack(money(preview.amount, order.currency))}</strong>
      <Shares order={order} preview={preview} />
      {ending.length === 0 ? (
        <p>{words.staying}</p>
      ) : (
        <>
          <p>{words.ending(number(ending.length), ending.length === 1)}</p>
          <ul>
            {ending.map(({ public_id, attendee_name, ticket_title, place_label }) => (
              <li key={public_id} dir="auto">
                {[attendee_name, ticket_title, place_label].filter(Boolean).join(' · ')}
              </li>
            ))}
          </ul>
          <p className={classes.quiet}>{words.endingMore}</p>
        </>
      )}
      {address !== null && <p>{words.told(address)}</p>}
      <p className={classes.quiet}>{words.never}</p>
    </>
  )
}

const Shares = ({ order, preview }: RefundPreviewBoxProps) => {
  const { refund: words, methods } = useWords(orderWords)
  const { money } = useFormat()
  return (
    <ul>
      {preview.shares.map(({ to, amount }) => {
        const shown = money(amount, order.currency)
        if ('voucher' in to) return <li key={to.voucher}>{words.toVoucher(shown, to.voucher)}</li>
        const { method } = to
        return (
          <li key={method}>
            {method === 'at_the_door'
              ? words.atTheDoor(shown)
              : (isPaidOutByHand(method) ? words.byHand : words.toProvider)(shown, methods[method])}
          </li>
        )
      })}
    </ul>
  )
}
