import { Button, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Suspense, lazy, useId, useRef, useState } from 'react'
import { useFormat } from '../../ui/format.ts'
import { messageInWords, refusalSentence } from '../../ui/refusal-words.ts'
import { isManager, useSession } from '../../ui/session.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { useOrderChanged } from './order-changed.ts'
import classes from './orders.module.css'
import { postRefundAttempt } from './queries.ts'
import { type Order, type Payout, openPayoutsOf } from './rules.ts'
import { orderWords } from './words.ts'

const PayoutDialog = lazy(() => import('./payout-dialog.tsx'))

/** Money that was given back and has not arrived yet: on its way, to be paid by somebody, or failed. */
export const Payouts = ({ order }: { order: Order }) => {
  const { payouts: words } = useWords(orderWords)
  const [noting, setNoting] = useState<Payout | null>(null)
  const open = openPayoutsOf(order)
  return (
    <>
      {open.length > 0 && (
        <section className={classes.payouts} aria-label={words.title}>
          <Title order={2} size="lg">
            {words.title}
          </Title>
          <ul>
            {open.map((payout) => (
              <PayoutItem key={payout.id} order={order} payout={payout} onNote={() => setNoting(payout)} />
            ))}
          </ul>
        </section>
      )}
      <Suspense>{noting && <PayoutDialog order={order} payout={noting} onClose={() => setNoting(null)} />}</Suspense>
    </>
  )
}

interface PayoutItemProps {
  order: Order
  payout: Payout
  onNote: () => void
}

const PayoutItem = ({ order, payout, onNote }: PayoutItemProps) => {
  const { methods, payouts: words } = useWords(orderWords)
  const { role } = useSession()
  const { money } = useFormat()
  const changed = useOrderChanged(order)
  const textId = useId()
  const item = useRef<HTMLLIElement>(null)
  const amount = money(payout.amount, order.currency)
  const asking = useMutation({
    mutationFn: () => postRefundAttempt(order.public_id, payout.id),
    onSuccess: async () => {
      showToast(words.asked(amount))
      // The button goes with the answer, and whoever was at it stays here.
      item.current?.focus()
      await changed()
    },
    onError: (error) => {
      showErrorToast(refusalSentence(error))
      return changed()
    },
  })
  const { status, failure_message: reason } = payout
  return (
    <li ref={item} tabIndex={-1} data-status={status}>
      <div className={classes.entry} id={textId}>
        <strong>{words[status](methods[payout.method])}</strong>
        {reason !== null && <span>{`${messageInWords(reason)}.`}</span>}
        {status === 'pending' && <span className={classes.quiet}>{words.byItself}</span>}
      </div>
      <span className={classes.amount}>{amount}</span>
      {status !== 'pending' && isManager(role) && (
        <div className={classes.payoutActions}>
          {status === 'failed' && (
            <Button
              size="compact-md"
              loading={asking.isPending}
              aria-describedby={textId}
              onClick={() => asking.mutate()}
            >
              {words.askAgain}
            </Button>
          )}
          <Button size="compact-md" variant="default" aria-describedby={textId} onClick={onNote}>
            {words.note}
          </Button>
        </div>
      )}
    </li>
  )
}
