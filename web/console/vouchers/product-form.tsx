import { Button, Modal, NativeSelect, Text, TextInput, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { commonWords } from '../../ui/common-words.ts'
import { type EditState, useEdit } from '../../ui/form/edit.ts'
import { useFocusOnFirstField } from '../../ui/form/focus.ts'
import { FormFooter } from '../../ui/form/form-end.tsx'
import { ImageField } from '../../ui/image-field/image-field.tsx'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { productWords } from './product-words.ts'
import { productsQuery } from './queries.ts'
import { type Product, type ProductFields, bodyOfProduct, changesOfProduct, fieldsOfProduct } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const save = (product: Product | null, fields: ProductFields, changed: readonly string[]) =>
  product === null
    ? dataOrThrow(api.POST('/admin/voucher_products', { body: { voucher_product: bodyOfProduct(fields) as never } }))
    : dataOrThrow(
        api.PATCH('/admin/voucher_products/{id}', {
          params: { path: { id: product.id } },
          body: { voucher_product: changesOfProduct(fields, changed) },
        }),
      )

/** A product as it is sold from now on; vouchers that were sold stay as they are. */
export const ProductForm = ({ product, close }: { product: Product | null; close: () => void }) => {
  const words = useWords(productWords)
  const queries = useQueryClient()
  const form = useFocusOnFirstField()
  const edit = useEdit<ProductFields>({
    name: `voucher product ${product?.id ?? 'new'}`,
    isNew: product === null,
    value: fieldsOfProduct(product),
    version: 0,
    save: async (fields, changed) => {
      await save(product, fields, changed)
      showToast(words.saved)
      await queries.invalidateQueries({ queryKey: productsQuery.queryKey })
      close()
    },
  })
  const nameOf = (key: string) => (key in words.fields ? words.fields[key as keyof typeof words.fields] : key)
  return (
    <form
      ref={form}
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void edit.save()
      }}
    >
      <Fields edit={edit} />
      <FormFooter
        edit={edit}
        nameOf={nameOf}
        isNew={product === null}
        {...(product === null && { saveLabel: words.create })}
      >
        <CloseOrArchive product={product} close={close} discard={edit.discard} />
      </FormFooter>
    </form>
  )
}

type TextKey = Exclude<keyof ProductFields, 'image'>

const Fields = ({ edit }: { edit: EditState<ProductFields> }) => {
  const words = useWords(productWords)
  const { issue } = useWords(voucherWords)
  const { account } = useSession()
  const text = (key: TextKey) => ({
    label: words.fields[key],
    value: edit.value[key],
    error: edit.faults[key],
    onChange: (event: { currentTarget: { value: string } }) => edit.set(key, event.currentTarget.value),
  })
  const isFixed = edit.value.pricing_type === 'fixed'
  return (
    <div className={classes.fields}>
      <TextInput {...text('name')} dir="auto" maxLength={200} />
      <NativeSelect
        {...text('pricing_type')}
        data={(['fixed', 'flexible'] as const).map((value) => ({ value, label: words.pricings[value] }))}
      />
      {isFixed ? (
        <>
          <TextInput {...text('fixed_amount')} inputMode="decimal" description={issue.amountIn(account.currency)} />
          <TextInput {...text('purchase_price')} inputMode="decimal" description={words.hints.purchase_price} />
        </>
      ) : (
        <>
          <TextInput {...text('minimum_amount')} inputMode="decimal" description={issue.amountIn(account.currency)} />
          <TextInput {...text('maximum_amount')} inputMode="decimal" description={issue.amountIn(account.currency)} />
        </>
      )}
      <TextInput {...text('validity_months')} inputMode="numeric" />
      <TextInput {...text('tax_rate')} inputMode="decimal" description={words.hints.tax_rate} />
      <NativeSelect
        {...text('visibility')}
        data={(['public_catalog', 'secret'] as const).map((value) => ({ value, label: words.visibilities[value] }))}
      />
      <Textarea {...text('description')} className={classes.wide} autosize minRows={2} dir="auto" />
      <div className={classes.wide}>
        <ImageField
          label={words.fields.image}
          value={edit.value.image}
          onChange={(image) => edit.set('image', image)}
          error={edit.faults['image']}
        />
      </div>
    </div>
  )
}

interface CloseOrArchiveProps {
  product: Product | null
  close: () => void
  discard: () => void
}

const CloseOrArchive = ({ product, close, discard }: CloseOrArchiveProps) => {
  const words = useWords(productWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const archiving = useMutation({
    mutationFn: () =>
      dataOrThrow(api.DELETE('/admin/voucher_products/{id}', { params: { path: { id: product!.id } } })),
    onSuccess: async () => {
      showToast(words.archiveDone)
      close()
      await queries.invalidateQueries({ queryKey: productsQuery.queryKey })
    },
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  if (product === null) {
    return (
      <Button
        variant="default"
        onClick={() => {
          discard()
          close()
        }}
      >
        {common.cancel}
      </Button>
    )
  }
  return (
    <>
      <Button variant="light" color="bad" onClick={() => setAsking(true)}>
        {words.archive}
      </Button>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={words.archiveTitle(product.name)}
        closeButtonProps={{ 'aria-label': common.close }}
      >
        <div className={classes.form}>
          <Text>{words.archiveMore}</Text>
          <div className={classes.end}>
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              {words.archiveKeep}
            </Button>
            <Button color="bad" loading={archiving.isPending} onClick={() => archiving.mutate()}>
              {words.archiveNow}
            </Button>
          </div>
        </div>
      </Modal>
    </>
  )
}
