import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { useOrderChanged } from './order-changed.ts'
import classes from './orders.module.css'
import { postRefundPayout } from './queries.ts'
import type { Order, Payout } from './rules.ts'
import { orderWords } from './words.ts'

interface PayoutDialogProps {
  order: Order
  payout: Payout
  onClose: () => void
}

/** Asks once whether the money has really gone back: what is noted as paid stays so. */
const PayoutDialog = ({ order, payout, onClose }: PayoutDialogProps) => {
  const { payouts: words } = useWords(orderWords)
  const common = useWords(commonWords)
  const { money } = useFormat()
  const changed = useOrderChanged(order)
  const amount = money(payout.amount, order.currency)
  const noting = useMutation({
    mutationFn: () => postRefundPayout(order.public_id, payout.id),
    onSuccess: async () => {
      showToast(words.noted(amount))
      onClose()
      await changed()
    },
    onError: () => changed(),
  })
  return (
    <Modal opened onClose={onClose} title={words.noteTitle(amount)} closeButtonProps={{ 'aria-label': common.close }}>
      <div className={classes.form}>
        <div className={classes.preview}>
          <p>{words.noteMore}</p>
          {payout.status === 'failed' && <p>{words.notAsked}</p>}
          <p className={classes.quiet}>{words.never}</p>
        </div>
        {noting.isError && (
          <p className={classes.fault} role="alert">
            {refusalSentence(noting.error)}
          </p>
        )}
        <div className={classes.end}>
          <Button variant="default" onClick={onClose} data-autofocus>
            {common.cancel}
          </Button>
          <Button loading={noting.isPending} onClick={() => noting.mutate()}>
            {words.note}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

export default PayoutDialog
