import { Button, Checkbox, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents, normalizeTypedAmount } from '../../ui/amounts.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { useOrderChanged } from './order-changed.ts'
import classes from './orders.module.css'
import { type RefundBody, postRefund } from './queries.ts'
import { RefundPreviewBox } from './refund-preview.tsx'
import { type Order, type RefundChoice, isLive, previewRefund, refundableCents, toggleAdmission } from './rules.ts'
import { orderWords } from './words.ts'

const KINDS = ['whole', 'admissions', 'amount'] as const

const bodyOf = ({ kind, ticked, amount }: RefundChoice, reason: string): RefundBody => ({
  ...(kind === 'admissions' && { admission_public_ids: [...ticked] }),
  ...(kind === 'amount' && { amount: normalizeTypedAmount(amount) }),
  ...(reason.trim() !== '' && { reason: reason.trim() }),
})

/** Somebody who has come in keeps the ticket, so everything cannot go back any more. */
const firstChoice = (order: Order): RefundChoice => {
  const hasComeIn = order.admissions.some((each) => isLive(each) && each.redeemed_at !== null)
  return { kind: hasComeIn ? 'amount' : 'whole', ticked: new Set(), amount: '' }
}

interface RefundDialogProps {
  order: Order
  onClose: () => void
}

/** Says what a refund does before it does it: a refund cannot be taken back. */
const RefundDialog = ({ order, onClose }: RefundDialogProps) => {
  const words = useWords(orderWords)
  const common = useWords(commonWords)
  const { money } = useFormat()
  const changed = useOrderChanged(order)
  const [choice, setChoice] = useState(() => firstChoice(order))
  const [reason, setReason] = useState('')
  const preview = previewRefund(order, choice)
  const isOfVouchers = order.event === null
  const refund = useMutation({
    mutationFn: () => postRefund(order.public_id, bodyOf(choice, reason)),
    onSuccess: async ({ amount }) => {
      showToast(words.refund.given(money(amount, order.currency)))
      onClose()
      await changed()
    },
    // The order may be another by now: what is shown must be what is.
    onError: () => changed(),
  })
  const faults = faultsByField(refund.error)

  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={words.refund.title}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!refund.isPending && preview.fault === null) refund.mutate()
        }}
      >
        {!isOfVouchers && (
          <ChoiceFields
            order={order}
            choice={choice}
            onChoice={setChoice}
            fault={faults['amount'] ?? faults['admission_public_ids']}
          />
        )}
        <TextInput
          label={words.refund.reason}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          error={faults['reason']}
          dir="auto"
        />
        <RefundPreviewBox order={order} preview={preview} />
        {refund.isError && (
          <p className={classes.fault} role="alert">
            {faults['amount'] ?? faults['admission_public_ids'] ?? refusalSentence(refund.error)}
          </p>
        )}
        <div className={classes.end}>
          <Button variant="default" onClick={onClose}>
            {words.refund.keep}
          </Button>
          <Button type="submit" color="bad" loading={refund.isPending} disabled={preview.fault !== null}>
            {isOfVouchers ? words.refund.giveVouchers : words.refund.give(money(preview.amount, order.currency))}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

interface ChoiceFieldsProps {
  order: Order
  choice: RefundChoice
  onChoice: (choice: RefundChoice) => void
  fault: string | undefined
}

const ChoiceFields = ({ order, choice, onChoice, fault }: ChoiceFieldsProps) => {
  const words = useWords(orderWords)
  const { money } = useFormat()
  const left = money(formatCents(refundableCents(order), order.currency), order.currency)
  return (
    <>
      <Radio.Group
        label={words.refund.which}
        value={choice.kind}
        onChange={(value) => onChoice({ ...choice, kind: KINDS.find((kind) => kind === value) ?? 'whole' })}
      >
        <Stack gap="xs" mt="xs">
          {KINDS.map((kind) => (
            <Radio key={kind} value={kind} label={words.refund.kinds[kind]} description={words.refund.hints[kind]} />
          ))}
        </Stack>
      </Radio.Group>
      {choice.kind === 'admissions' && <Ticks order={order} choice={choice} onChoice={onChoice} />}
      {choice.kind === 'amount' && (
        <TextInput
          label={words.refund.amount}
          description={words.refund.atMost(left)}
          inputMode="decimal"
          value={choice.amount}
          onChange={(event) => onChoice({ ...choice, amount: event.currentTarget.value })}
          error={fault}
          data-autofocus
        />
      )}
    </>
  )
}

const Ticks = ({ order, choice, onChoice }: Pick<ChoiceFieldsProps, 'order' | 'choice' | 'onChoice'>) => {
  const words = useWords(orderWords)
  const { money } = useFormat()
  return (
    <fieldset className={classes.ticks}>
      <legend>{words.ofTickets}</legend>
      {order.admissions.filter(isLive).map(({ public_id, attendee_name, ticket_title, place_label, price }) => (
        <Checkbox
          key={public_id}
          label={<bdi>{attendee_name}</bdi>}
          description={[ticket_title, place_label, money(price, order.currency)].filter(Boolean).join(' · ')}
          checked={choice.ticked.has(public_id)}
          onChange={() => onChoice({ ...choice, ticked: toggleAdmission(order, choice.ticked, public_id) })}
        />
      ))}
    </fieldset>
  )
}

export default RefundDialog
