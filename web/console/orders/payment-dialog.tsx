import { Alert, Button, Modal, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents, normalizeTypedAmount, parseCents, parseTypedCents } from '../../ui/amounts.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { useOrderChanged } from './order-changed.ts'
import classes from './orders.module.css'
import { eventOfOrderQuery, postPayment } from './queries.ts'
import type { Order } from './rules.ts'
import { orderWords } from './words.ts'

/** Money that somebody has seen: all that is due, or a part of it. */
const PaymentDialog = ({ order, onClose }: { order: Order; onClose: () => void }) => {
  const { payment: words } = useWords(orderWords)
  const common = useWords(commonWords)
  const { money } = useFormat()
  const changed = useOrderChanged(order)
  const event = useQuery(eventOfOrderQuery(order))
  const { currency, due } = order
  const [amount, setAmount] = useState(due)
  const [reference, setReference] = useState('')
  const cents = parseTypedCents(amount, currency)
  const noting = useMutation({
    mutationFn: () =>
      postPayment(order.public_id, { amount: normalizeTypedAmount(amount), reference: reference.trim() }),
    onSuccess: async () => {
      showToast(words.noted)
      onClose()
      await changed()
    },
    onError: () => changed(),
  })
  const faults = faultsByField(noting.error)

  return (
    <Modal opened onClose={onClose} title={words.title} closeButtonProps={{ 'aria-label': common.close }}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!noting.isPending) noting.mutate()
        }}
      >
        {event.data?.cancelled_at && <Alert color="warn">{words.eventCancelled}</Alert>}
        <TextInput
          label={words.amount}
          description={words.dueHint(money(due, currency))}
          inputMode="decimal"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={faults['amount']}
          required
          withAsterisk={false}
        />
        <TextInput
          label={words.reference}
          description={words.referenceHint}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
          error={faults['reference']}
          maxLength={255}
          required
          withAsterisk={false}
          dir="auto"
          data-autofocus
        />
        <PaymentEffect order={order} cents={cents} />
        {noting.isError && Object.keys(faults).every((field) => field === 'base') && (
          <p className={classes.fault} role="alert">
            {refusalSentence(noting.error)}
          </p>
        )}
        <div className={classes.end}>
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={noting.isPending} disabled={cents === null || cents === 0}>
            {words.note(cents === null ? '' : money(formatCents(cents, currency), currency))}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

const PaymentEffect = ({ order, cents }: { order: Order; cents: number | null }) => {
  const all = useWords(orderWords)
  const { payment: words } = all
  const { money, number } = useFormat()
  const { customer_email: address } = order.customer
  const count = order.admissions.length
  const left = cents === null ? null : parseCents(order.due, order.currency) - cents
  return (
    <p className={classes.preview} aria-live="polite">
      {left === null
        ? words.unreadable
        : left > 0
          ? words.leaves(money(formatCents(left, order.currency), order.currency))
          : address === null
            ? words.completesWithoutMail
            : words.completes(all.tickets(number(count), count === 1), address)}
    </p>
  )
}

export default PaymentDialog
