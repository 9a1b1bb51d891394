import { Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { normalizeTypedAmount, parseTypedCents } from '../../ui/amounts.ts'
import { useCloseUnlessSending } from '../../ui/close-unless-sending.ts'
import { commonWords } from '../../ui/common-words.ts'
import { type Format, useFormat } from '../../ui/format.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import { IssuedCode } from './issued-code.tsx'
import { rememberCode } from './known-codes.ts'
import { invalidateVouchers, issueVoucher, productsQuery } from './queries.ts'
import type { Product } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

interface IssueForm {
  productId: string
  amount: string
  expires: string
  note: string
}

const EMPTY: IssueForm = { productId: '', amount: '', expires: '', note: '' }

const ISSUING = ['issue a voucher']

/** Issues a voucher, and shows its code this one time. */
const IssueDialog = ({ onClose }: { onClose: () => void }) => {
  const { issue: words } = useWords(voucherWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const { data: products = [] } = useQuery(productsQuery)
  const [form, setForm] = useState(EMPTY)
  const product = products.find(({ id }) => id === form.productId) ?? null
  const issuing = useMutation({
    mutationKey: ISSUING,
    mutationFn: () =>
      issueVoucher({
        voucher_product_id: product?.id ?? null,
        amount: product?.pricing_type === 'fixed' ? null : normalizeTypedAmount(form.amount),
        expires_at: form.expires || null,
        note: form.note.trim() || null,
      }),
    onSuccess: async (issued) => {
      rememberCode(issued.id, issued.code)
      await invalidateVouchers(queries)
    },
  })
  const closeUnlessIssuing = useCloseUnlessSending(ISSUING, onClose)

  return (
    <Modal
      opened
      onClose={closeUnlessIssuing}
      title={issuing.data ? words.done : words.title}
      closeButtonProps={{ 'aria-label': common.close }}
      // A code that is shown once must not be lost to a click beside it.
      closeOnClickOutside={!issuing.data}
    >
      {issuing.data ? (
        <IssuedCode
          issued={issuing.data}
          onAnother={() => {
            setForm(EMPTY)
            issuing.reset()
          }}
        />
      ) : (
        <IssueFields
          form={form}
          onForm={setForm}
          products={products.filter(({ status }) => status === 'active')}
          product={product}
          issuing={issuing}
          onClose={closeUnlessIssuing}
        />
      )}
    </Modal>
  )
}

interface IssueFieldsProps {
  form: IssueForm
  onForm: (form: IssueForm) => void
  products: readonly Product[]
  product: Product | null
  issuing: { isPending: boolean; isError: boolean; error: unknown; mutate: () => void }
  onClose: () => void
}

const labelOf = (product: Product, money: Format['money'], words: { between: (a: string, b: string) => string }) => {
  const { name, fixed_amount, minimum_amount, maximum_amount, currency } = product
  if (fixed_amount !== null) return `${name} (${money(fixed_amount, currency)})`
  if (!minimum_amount || !maximum_amount) return name
  return `${name} (${words.between(money(minimum_amount.amount, currency), money(maximum_amount.amount, currency))})`
}

const IssueFields = ({ form, onForm, products, product, issuing, onClose }: IssueFieldsProps) => {
  const { issue: words } = useWords(voucherWords)
  const common = useWords(commonWords)
  const { money, number } = useFormat()
  const { account } = useSession()
  const faults = faultsByField(issuing.error)
  const fixed = product?.fixed_amount ?? null
  const typed = parseTypedCents(form.amount, account.currency)
  const worth = fixed ?? (typed === null || typed === 0 ? null : normalizeTypedAmount(form.amount))
  const shown = worth === null ? null : money(worth, account.currency)
  const field = (key: keyof IssueForm) => ({
    value: form[key],
    onChange: (event: { currentTarget: { value: string } }) => onForm({ ...form, [key]: event.currentTarget.value }),
  })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!issuing.isPending && worth !== null) issuing.mutate()
      }}
    >
      {products.length > 0 && (
        <NativeSelect
          label={words.product}
          {...field('productId')}
          error={faults['voucher_product_id']}
          data={[
            { value: '', label: words.noProduct },
            ...products.map((each) => ({ value: each.id, label: labelOf(each, money, words) })),
          ]}
        />
      )}
      {fixed === null && (
        <TextInput
          label={words.amount}
          description={words.amountIn(account.currency)}
          inputMode="decimal"
          {...field('amount')}
          error={faults['amount']}
          data-autofocus
        />
      )}
      <TextInput
        type="date"
        label={words.expires}
        description={product ? words.expiresHint(number(product.validity_months)) : words.noExpiry}
        {...field('expires')}
        error={faults['expires_at']}
        max="9999-12-31"
      />
      <TextInput label={words.note} {...field('note')} error={faults['note']} maxLength={1000} dir="auto" />
      {shown !== null && <p className={classes.effect}>{words.effect(shown)}</p>}
      {issuing.isError && Object.keys(faults).every((key) => key === 'base') && (
        <p className={classes.fault} role="alert">
          {refusalSentence(issuing.error)}
        </p>
      )}
      <div className={classes.end}>
        <Button variant="default" onClick={onClose} disabled={issuing.isPending}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={issuing.isPending} disabled={shown === null}>
          {words.issue(shown ?? '')}
        </Button>
      </div>
    </form>
  )
}

export default IssueDialog
