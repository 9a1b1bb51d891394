import { Button, Modal, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { blockVoucher, invalidateVouchers, unblockVoucher } from './queries.ts'
import { type Voucher, reservedAmount } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

/** Blocks a voucher with a reason; the block can be lifted at once. */
const BlockDialog = ({ voucher, onClose }: { voucher: Voucher; onClose: () => void }) => {
  const { block: words, do: names } = useWords(voucherWords)
  const common = useWords(commonWords)
  const { money } = useFormat()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const reserved = reservedAmount(voucher)
  const { amount, currency } = voucher.balance
  const lifting = useMutation({
    mutationFn: () => unblockVoucher(voucher.id),
    onSuccess: () => invalidateVouchers(queries),
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  const blocking = useMutation({
    mutationFn: () => blockVoucher(voucher.id, reason.trim()),
    onSuccess: async () => {
      showToast(words.done, { label: names.unblock, run: () => lifting.mutate() })
      onClose()
      await invalidateVouchers(queries)
    },
  })
  const faults = faultsByField(blocking.error)
  return (
    <Modal opened onClose={onClose} title={words.title} closeButtonProps={{ 'aria-label': common.close }}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!blocking.isPending) blocking.mutate()
        }}
      >
        <div className={classes.effect}>
          <p>{words.effect(money(amount, currency))}</p>
          {reserved !== null && <p>{words.underWay(money(reserved, currency))}</p>}
        </div>
        <TextInput
          label={words.reason}
          description={words.reasonHint}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={faults['reason'] ?? (blocking.isError ? refusalSentence(blocking.error) : undefined)}
          maxLength={1000}
          required
          withAsterisk={false}
          dir="auto"
          data-autofocus
        />
        <div className={classes.end}>
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" color="bad" loading={blocking.isPending}>
            {words.do}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

export default BlockDialog
