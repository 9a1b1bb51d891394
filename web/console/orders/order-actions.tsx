import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { isManager, useSession } from '../../ui/session.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './orders.module.css'
import { postDelivery } from './queries.ts'
import { type Order, isLive, refundableCents } from './rules.ts'
import { orderWords } from './words.ts'

const RefundDialog = lazy(() => import('./refund-dialog.tsx'))
const PaymentDialog = lazy(() => import('./payment-dialog.tsx'))
const CancelDialog = lazy(() => import('./cancel-dialog.tsx'))

/** What can be done about an order. Money is for owners and managers. */
export const OrderActions = ({ order }: { order: Order }) => {
  const words = useWords(orderWords)
  const { role } = useSession()
  const [dialog, setDialog] = useState<'refund' | 'payment' | 'cancel' | null>(null)
  const address = order.customer.customer_email
  const resend = useMutation({
    mutationFn: () => postDelivery(order.public_id),
    onSuccess: () => showToast(words.do.resent(address ?? '')),
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  const isPaid = order.status === 'paid'
  const live = order.admissions.filter(isLive)
  const mayRefund = (isPaid || order.status === 'refunded') && (refundableCents(order) > 0 || live.length > 0)
  const close = () => setDialog(null)

  return (
    <>
      <div className={classes.actions}>
        {order.status === 'unpaid' && isManager(role) && (
          <Button size="compact-md" onClick={() => setDialog('payment')}>
            {words.do.payment}
          </Button>
        )}
        {isPaid && live.length > 0 && (
          <Button
            size="compact-md"
            variant="default"
            loading={resend.isPending}
            disabled={address === null}
            title={address === null ? words.noAddress : undefined}
            onClick={() => resend.mutate()}
          >
            {words.do.resend}
          </Button>
        )}
        {mayRefund && isManager(role) && (
          <Button size="compact-md" variant="default" onClick={() => setDialog('refund')}>
            {words.do.refund}
          </Button>
        )}
        {order.status === 'unpaid' && isManager(role) && (
          <Button size="compact-md" variant="light" color="bad" onClick={() => setDialog('cancel')}>
            {words.do.cancel}
          </Button>
        )}
      </div>
      {!isManager(role) && <p className={classes.quiet}>{words.readsOnly}</p>}
      <Suspense>
        {dialog === 'refund' && <RefundDialog order={order} onClose={close} />}
        {dialog === 'payment' && <PaymentDialog order={order} onClose={close} />}
        {dialog === 'cancel' && <CancelDialog order={order} onClose={close} />}
      </Suspense>
    </>
  )
}
