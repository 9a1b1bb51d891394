import { Button, NativeSelect, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useEdit } from '../../ui/form/edit.ts'
import { useFocusOnFirstField } from '../../ui/form/focus.ts'
import { useFormat } from '../../ui/format.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import type { PlanPlace } from '../../ui/seat-plan/places.ts'
import { SeatPlan } from '../../ui/seat-plan/seat-plan.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import {
  type GeneratedPlace,
  type PatternFault,
  type SeatPattern,
  generatePlaces,
  parseRowNames,
} from './generate-places.ts'
import { partWords } from './part-words.ts'
import { type Place, type Ticket, eventPathParams, invalidateEventQueries } from './queries.ts'
import { seatWords } from './seat-words.ts'
import classes from './setting-up.module.css'

interface SeatGeneratorProps {
  slug: string
  tickets: readonly Ticket[]
  places: readonly Place[]
  close: () => void
}

const NOTHING: ReadonlySet<string> = new Set()

interface GeneratorForm extends SeatPattern {
  ticket: string
}

/** Rows and seats from a few words, seen before they are made. */
export const SeatGenerator = ({ slug, tickets, places, close }: SeatGeneratorProps) => {
  const words = useWords(seatWords)
  const { number } = useFormat()
  const queries = useQueryClient()
  const form = useEdit<GeneratorForm>({
    name: `seats of ${slug}`,
    version: 0,
    value: {
      section: '',
      rows: 'A–M',
      seats: '20',
      first: '1',
      direction: 'right',
      pairs: '0',
      pairRow: '',
      label: '',
      ticket: String(tickets[0]!.id),
    },
    save: async () => {},
  })
  const first = useFocusOnFirstField()
  const typed = useDeferredValue(form.value)
  const usual = typed.section.trim() === '' ? words.labelPattern : words.labelPatternWithSection
  const pattern = useMemo(() => ({ ...typed, label: typed.label.trim() === '' ? usual : typed.label }), [typed, usual])
  const taken = useMemo(
    () => ({
      labels: new Set(places.map(({ label }) => label)),
      keys: new Set(places.map(({ key }) => key)),
    }),
    [places],
  )
  const generated = useMemo(() => generatePlaces(pattern, taken), [pattern, taken])
  const count = generated.places?.length ?? 0

  const creation = useMutation({
    mutationFn: (made: readonly GeneratedPlace[]) =>
      dataOrThrow(
        api.POST('/admin/events/{event_slug}/places', {
          params: eventPathParams(slug),
          body: { places: made.map((place) => ({ ...place, ticket_id: Number(pattern.ticket) })) },
        }),
      ),
    onSuccess: async ({ places: made }) => {
      form.discard()
      showToast(words.created(number(made.length)))
      await invalidateEventQueries(queries)
      close()
    },
  })

  return (
    <form
      ref={first}
      className={classes.card}
      aria-label={words.generator}
      onSubmit={(event) => {
        event.preventDefault()
        if (generated.places && !creation.isPending) creation.mutate(generated.places)
      }}
    >
      <h2 className={classes.sectionTitle}>{words.generator}</h2>
      <PatternFields form={form} tickets={tickets} fault={generated.fault} usualLabel={usual} />
      {generated.places && (
        <>
          <Text size="sm" role="status">
            {words.preview(number(count), number(generated.places.filter(isWheelchair).length))}
          </Text>
          <SeatPlan
            places={generated.places.map((place) => previewOf(place, colorOf(tickets, pattern.ticket)))}
            selected={NOTHING}
            onSelect={() => {}}
          />
        </>
      )}
      {creation.isError && (
        <Text role="alert" c="bad">
          {Object.values(faultsByField(creation.error))[0] ?? refusalSentence(creation.error)}
        </Text>
      )}
      <GeneratorEnd count={count} isPending={creation.isPending} close={close} />
    </form>
  )
}

const isWheelchair = ({ accessibility }: GeneratedPlace) => accessibility === 'wheelchair'

const colorOf = (tickets: readonly Ticket[], id: string) => tickets.find((ticket) => String(ticket.id) === id)?.color

const previewOf = (place: GeneratedPlace, color: string | undefined): PlanPlace => ({
  ...place,
  state: 'free',
  color,
})

const GeneratorEnd = ({ count, isPending, close }: { count: number; isPending: boolean; close: () => void }) => {
  const words = useWords(seatWords)
  const { close: closeWord } = useWords(partWords)
  const { number } = useFormat()
  return (
    <div className={classes.part}>
      <Button type="submit" disabled={count === 0} loading={isPending}>
        {words.create(number(count))}
      </Button>
      <Button variant="default" onClick={close}>
        {closeWord}
      </Button>
    </div>
  )
}

interface PatternFieldsProps {
  form: ReturnType<typeof useEdit<GeneratorForm>>
  tickets: readonly Ticket[]
  fault: PatternFault | null
  /** What is written on the ticket where nothing else is said. */
  usualLabel: string
}

const PatternFields = ({ form, tickets, fault, usualLabel }: PatternFieldsProps) => {
  const words = useWords(seatWords)
  const messageOf = (field: keyof GeneratorForm): string | undefined => {
    if (fault?.field === 'taken' || fault?.field === 'twice') {
      return field === 'label' ? words.faults[fault.field](fault.label) : undefined
    }
    if (fault?.field === 'tooMany') return field === 'seats' ? words.faults.tooMany : undefined
    return fault?.field === field ? words.faults[fault.field] : undefined
  }
  const text = (key: keyof GeneratorForm) => ({
    label: words.fields[key],
    value: form.value[key],
    error: messageOf(key),
    onChange: (event: { currentTarget: { value: string } }) => form.set(key, event.currentTarget.value),
  })
  return (
    <div className={classes.fields}>
      <TextInput {...text('rows')} description={words.hints.rows} />
      <TextInput {...text('seats')} inputMode="numeric" />
      <TextInput {...text('section')} description={words.hints.section} dir="auto" />
      <NativeSelect {...text('ticket')} data={tickets.map(({ id, title }) => ({ value: String(id), label: title }))} />
      <TextInput {...text('pairs')} inputMode="numeric" description={words.hints.pairs} />
      <TextInput {...text('pairRow')} placeholder={parseRowNames(form.value.rows)?.at(-1)} />
      <TextInput {...text('first')} inputMode="numeric" />
      <NativeSelect
        {...text('direction')}
        data={(['right', 'left'] as const).map((value) => ({ value, label: words.directions[value] }))}
      />
      <TextInput {...text('label')} placeholder={usualLabel} description={words.hints.label} dir="auto" />
    </div>
  )
}
