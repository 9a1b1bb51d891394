import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { useOrderChanged } from './order-changed.ts'
import classes from './orders.module.css'
import { postCancellation } from './queries.ts'
import { type Order, isLive } from './rules.ts'
import { orderWords } from './words.ts'

/** Says what will happen before it does: a cancellation cannot be taken back. */
const CancelDialog = ({ order, onClose }: { order: Order; onClose: () => void }) => {
  const all = useWords(orderWords)
  const { cancel: words } = all
  const common = useWords(commonWords)
  const { money, number } = useFormat()
  const changed = useOrderChanged(order)
  const count = order.admissions.filter(isLive).length
  const { customer_email: address } = order.customer
  const cancelling = useMutation({
    mutationFn: () => postCancellation(order.public_id),
    onSuccess: async () => {
      showToast(words.done)
      onClose()
      await changed()
    },
    onError: () => changed(),
  })
  return (
    <Modal opened onClose={onClose} title={words.title} closeButtonProps={{ 'aria-label': common.close }}>
      <div className={classes.form}>
        <div className={classes.preview}>
          <p>{words.more(all.tickets(number(count), count === 1))}</p>
          {Number(order.paid) > 0 && <p>{words.paidBack(money(order.paid, order.currency))}</p>}
          {Number(order.voucher_total) > 0 && <p>{words.vouchersBack(money(order.voucher_total, order.currency))}</p>}
          {address !== null && <p>{words.told(address)}</p>}
        </div>
        {cancelling.isError && (
          <p className={classes.fault} role="alert">
            {refusalSentence(cancelling.error)}
          </p>
        )}
        <div className={classes.end}>
          <Button variant="default" onClick={onClose} data-autofocus>
            {words.keep}
          </Button>
          <Button color="bad" loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
            {words.now}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

export default CancelDialog
