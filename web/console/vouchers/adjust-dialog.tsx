import { Button, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents, normalizeTypedAmount, parseTypedCents } from '../../ui/amounts.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { adjustVoucher, invalidateVouchers } from './queries.ts'
import { type Voucher, balanceAfter } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const DIRECTIONS = ['credit', 'debit'] as const
type Direction = (typeof DIRECTIONS)[number]

/** Corrects a balance with an entry that stays; says before what the balance will be. */
const AdjustDialog = ({ voucher, onClose }: { voucher: Voucher; onClose: () => void }) => {
  const { adjust: words } = useWords(voucherWords)
  const common = useWords(commonWords)
  const { money } = useFormat()
  const queries = useQueryClient()
  const { currency } = voucher.balance
  const [direction, setDirection] = useState<Direction>('credit')
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const cents = parseTypedCents(amount, currency)
  const after = cents === null || cents === 0 ? null : balanceAfter(voucher, direction, cents)
  const adjusting = useMutation({
    mutationFn: () =>
      adjustVoucher(voucher.id, { direction, amount: normalizeTypedAmount(amount), reason: reason.trim() }),
    onSuccess: async () => {
      showToast(words.done)
      onClose()
      await invalidateVouchers(queries)
    },
    onError: () => invalidateVouchers(queries),
  })
  const faults = faultsByField(adjusting.error)
  const effect =
    cents === null || cents === 0
      ? words.unreadable
      : after === null
        ? words.tooMuch(money(voucher.available_balance.amount, currency))
        : words.effect(money(voucher.balance.amount, currency), money(after, currency))

  return (
    <Modal opened onClose={onClose} title={words.title} closeButtonProps={{ 'aria-label': common.close }}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!adjusting.isPending && after !== null) adjusting.mutate()
        }}
      >
        <Radio.Group
          label={words.direction}
          value={direction}
          onChange={(value) => setDirection(value === 'debit' ? 'debit' : 'credit')}
        >
          <Stack gap="xs" mt="xs">
            {DIRECTIONS.map((value) => (
              <Radio key={value} value={value} label={words.directions[value]} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label={words.amount}
          inputMode="decimal"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={faults['amount']}
          data-autofocus
        />
        <TextInput
          label={words.reason}
          description={words.reasonHint}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={faults['reason']}
          maxLength={1000}
          required
          withAsterisk={false}
          dir="auto"
        />
        <p className={classes.effect} aria-live="polite">
          {effect}
        </p>
        {adjusting.isError && Object.keys(faults).every((field) => field === 'base') && (
          <p className={classes.fault} role="alert">
            {refusalSentence(adjusting.error)}
          </p>
        )}
        <div className={classes.end}>
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={adjusting.isPending} disabled={after === null}>
            {words.do[direction](cents === null ? '' : money(formatCents(cents, currency), currency))}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

export default AdjustDialog
