import { Checkbox, NativeSelect, TextInput, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useEdit } from '../../ui/form/edit.ts'
import { useSession } from '../../ui/session.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { numberOfText, textOfNumber } from './details-form.ts'
import { splitLines } from './lists.ts'
import { PartForm } from './part-form.tsx'
import { partWords } from './part-words.ts'
import { type Ticket, eventPathParams, invalidateEventQueries, ticketsQuery } from './queries.ts'
import classes from './setting-up.module.css'
import { setupWords } from './words.ts'

interface TicketForm {
  title: string
  price: string
  inventory_kind: Ticket['inventory_kind']
  stock: string
  max_per_order: string
  kind: Ticket['kind']
  group_size: string
  hidden: boolean
  access_codes: string
  features: string
  color: string
  key: string
}

const formOf = (ticket: Ticket | null): TicketForm => ({
  title: ticket?.title ?? '',
  price: ticket?.price ?? '',
  inventory_kind: ticket?.inventory_kind ?? 'ga',
  stock: textOfNumber(ticket?.stock ?? null),
  max_per_order: textOfNumber(ticket?.max_per_order ?? null),
  kind: ticket?.kind ?? 'StandardTicket',
  group_size: textOfNumber(ticket?.group_size ?? null),
  hidden: ticket?.hidden ?? false,
  access_codes: ticket?.access_codes.join('\n') ?? '',
  features: ticket?.features.join('\n') ?? '',
  color: ticket?.color ?? '',
  key: ticket?.key ?? '',
})

/** In many places a comma stands where the API has a point. */
const amountOf = (text: string) => text.trim().replace(',', '.') || '0'

const bodyOf = (form: TicketForm) => ({
  title: form.title,
  price: amountOf(form.price),
  inventory_kind: form.inventory_kind,
  stock: numberOfText(form.stock),
  max_per_order: numberOfText(form.max_per_order),
  kind: form.kind,
  group_size: form.kind === 'GroupTicket' ? numberOfText(form.group_size) : null,
  hidden: form.hidden,
  access_codes: splitLines(form.access_codes),
  features: splitLines(form.features),
  ...(form.color !== '' && { color: form.color }),
  ...(form.key !== '' && { key: form.key }),
})

/** A group and its size are one thing. */
const sentWith = (changed: readonly string[]) =>
  new Set(changed.includes('kind') ? [...changed, 'group_size'] : changed)

const save = (slug: string, ticket: Ticket | null, form: TicketForm, changed: readonly string[], version: number) => {
  const body = bodyOf(form)
  if (!ticket) {
    return dataOrThrow(
      api.POST('/admin/events/{event_slug}/tickets', { params: eventPathParams(slug), body: { ticket: body } }),
    )
  }
  const keys = sentWith(changed)
  const sent: Partial<typeof body> = Object.fromEntries(Object.entries(body).filter(([key]) => keys.has(key)))
  return dataOrThrow(
    api.PATCH('/admin/events/{event_slug}/tickets/{id}', {
      params: { path: { event_slug: slug, id: ticket.id } },
      body: { ticket: { ...sent, lock_version: version } },
    }),
  )
}

export const TicketEditor = ({ slug, ticket, close }: { slug: string; ticket: Ticket | null; close: () => void }) => {
  const words = useWords(partWords)
  const { saved } = useWords(setupWords)
  const queries = useQueryClient()
  const edit = useEdit<TicketForm>({
    name: `ticket ${ticket?.id ?? `new of ${slug}`}`,
    isNew: !ticket,
    value: formOf(ticket),
    version: ticket?.lock_version ?? 0,
    save: async (form, changed, version) => {
      await save(slug, ticket, form, changed, version)
      showToast(saved)
      await invalidateEventQueries(queries)
      close()
    },
    ...(ticket && {
      reload: async () => {
        const { tickets } = await queries.fetchQuery({ ...ticketsQuery(slug), staleTime: 0 })
        const fresh = tickets.find(({ id }) => id === ticket.id) ?? ticket
        return { value: formOf(fresh), version: fresh.lock_version }
      },
    }),
  })
  const remove = ticket
    ? () =>
        dataOrThrow(
          api.DELETE('/admin/events/{event_slug}/tickets/{id}', {
            params: { path: { event_slug: slug, id: ticket.id } },
          }),
        )
    : null
  return (
    <PartForm edit={edit} names={words.tickets.fields} createLabel={words.tickets.create} remove={remove} close={close}>
      <TicketFields edit={edit} />
    </PartForm>
  )
}

type TextKey = { [Key in keyof TicketForm]: TicketForm[Key] extends string ? Key : never }[keyof TicketForm]

const TicketFields = ({ edit }: { edit: ReturnType<typeof useEdit<TicketForm>> }) => {
  const common = useWords(partWords)
  const words = common.tickets
  const { account } = useSession()
  const text = (key: TextKey) => ({
    label: words.fields[key],
    value: edit.value[key],
    error: edit.faults[key],
    onChange: (event: { currentTarget: { value: string } }) => edit.set(key, event.currentTarget.value),
  })
  const isGroup = edit.value.kind === 'GroupTicket'
  return (
    <>
      <div className={classes.fields}>
        <TextInput {...text('title')} dir="auto" />
        <TextInput
          {...text('price')}
          inputMode="decimal"
          description={isGroup ? words.groupPrice(account.currency) : words.priceIn(account.currency)}
        />
        <NativeSelect
          {...text('inventory_kind')}
          data={(['ga', 'standing', 'places'] as const).map((value) => ({
            value,
            label: words.inventoryKinds[value],
          }))}
        />
        <TextInput {...text('stock')} inputMode="numeric" description={words.stockHint} />
      </div>
      <details open={edit.value.hidden || isGroup || Object.keys(edit.faults).length > 0}>
        <summary>{common.more}</summary>
        <div className={classes.fields}>
          <NativeSelect
            {...text('kind')}
            data={(['StandardTicket', 'GroupTicket'] as const).map((value) => ({ value, label: words.kinds[value] }))}
          />
          {isGroup && <TextInput {...text('group_size')} inputMode="numeric" />}
          <TextInput {...text('max_per_order')} inputMode="numeric" />
          <TextInput {...text('color')} type="color" />
          <Textarea {...text('features')} description={common.oneToALine} autosize minRows={2} dir="auto" />
          <TextInput {...text('key')} spellCheck={false} />
          <Checkbox
            className={classes.wide}
            label={words.fields.hidden}
            checked={edit.value.hidden}
            onChange={(event) => edit.set('hidden', event.currentTarget.checked)}
            error={edit.faults['hidden']}
          />
          {edit.value.hidden && (
            <Textarea {...text('access_codes')} description={common.oneToALine} autosize minRows={2} />
          )}
        </div>
      </details>
    </>
  )
}
