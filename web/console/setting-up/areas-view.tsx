import { Checkbox, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useEdit } from '../../ui/form/edit.ts'
import { useFormat } from '../../ui/format.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { numberOfText, textOfNumber } from './details-form.ts'
import { PartForm } from './part-form.tsx'
import { partWords } from './part-words.ts'
import { PartsView } from './parts-view.tsx'
import { type StandingArea, areasQuery, eventPathParams, invalidateEventQueries, ticketsQuery } from './queries.ts'
import classes from './setting-up.module.css'
import { setupWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/setup')

export const AreasView = (): ReactNode => {
  const words = useWords(partWords).areas
  const { slug } = route.useParams()
  const query = useQuery(areasQuery(slug))
  return (
    <PartsView
      query={query}
      words={words}
      nameOf={({ name }) => name}
      renderFacts={(area) => <AreaFacts area={area} />}
      renderForm={(area, close) => <AreaEditor key={area?.id ?? 'new'} slug={slug} area={area} close={close} />}
      move={(id, position) =>
        dataOrThrow(
          api.PATCH('/admin/events/{event_slug}/standing_areas/{id}/position', {
            params: { path: { event_slug: slug, id } },
            body: { position },
          }),
        )
      }
    />
  )
}

const AreaFacts = ({ area }: { area: StandingArea }) => {
  const words = useWords(partWords).areas
  const { number } = useFormat()
  return [
    words.room(number(area.claimed_count), number(area.capacity)),
    area.blocked > 0 && words.blocked(number(area.blocked)),
    !area.open && words.closed,
    area.ticket_ids.length === 0 && words.noTickets,
  ]
    .filter(Boolean)
    .join(' · ')
}

interface AreaForm {
  name: string
  capacity: string
  blocked: string
  open: boolean
  ticket_ids: string[]
  key: string
}

const formOf = (area: StandingArea | null): AreaForm => ({
  name: area?.name ?? '',
  capacity: textOfNumber(area?.capacity ?? null),
  blocked: textOfNumber(area?.blocked ?? 0),
  open: area?.open ?? true,
  ticket_ids: area?.ticket_ids.map(String) ?? [],
  key: area?.key ?? '',
})

const bodyOf = (form: AreaForm) => ({
  name: form.name,
  capacity: numberOfText(form.capacity)!,
  blocked: numberOfText(form.blocked) ?? 0,
  open: form.open,
  ticket_ids: form.ticket_ids.map(Number),
  ...(form.key !== '' && { key: form.key }),
})

const save = (slug: string, area: StandingArea | null, form: AreaForm, changed: readonly string[], version: number) => {
  const body = bodyOf(form)
  if (!area) {
    return dataOrThrow(
      api.POST('/admin/events/{event_slug}/standing_areas', {
        params: eventPathParams(slug),
        body: { standing_area: body },
      }),
    )
  }
  const sent: Partial<typeof body> = Object.fromEntries(Object.entries(body).filter(([key]) => changed.includes(key)))
  return dataOrThrow(
    api.PATCH('/admin/events/{event_slug}/standing_areas/{id}', {
      params: { path: { event_slug: slug, id: area.id } },
      body: { standing_area: { ...sent, lock_version: version } },
    }),
  )
}

interface AreaEditorProps {
  slug: string
  area: StandingArea | null
  close: () => void
}

const AreaEditor = ({ slug, area, close }: AreaEditorProps) => {
  const words = useWords(partWords)
  const { saved } = useWords(setupWords)
  const queries = useQueryClient()
  const edit = useEdit<AreaForm>({
    name: `area ${area?.id ?? `new of ${slug}`}`,
    isNew: !area,
    value: formOf(area),
    version: area?.lock_version ?? 0,
    save: async (form, changed, version) => {
      await save(slug, area, form, changed, version)
      showToast(saved)
      await invalidateEventQueries(queries)
      close()
    },
    ...(area && {
      reload: async () => {
        const { standing_areas: areas } = await queries.fetchQuery({ ...areasQuery(slug), staleTime: 0 })
        const fresh = areas.find(({ id }) => id === area.id) ?? area
        return { value: formOf(fresh), version: fresh.lock_version }
      },
    }),
  })
  const remove = area
    ? () =>
        dataOrThrow(
          api.DELETE('/admin/events/{event_slug}/standing_areas/{id}', {
            params: { path: { event_slug: slug, id: area.id } },
          }),
        )
    : null
  return (
    <PartForm edit={edit} names={words.areas.fields} createLabel={words.areas.create} remove={remove} close={close}>
      <AreaFields slug={slug} edit={edit} />
    </PartForm>
  )
}

const AreaFields = ({ slug, edit }: { slug: string; edit: ReturnType<typeof useEdit<AreaForm>> }) => {
  const words = useWords(partWords).areas
  const { data: tickets = [] } = useQuery(ticketsQuery(slug))
  const standing = tickets.filter(({ inventory_kind }) => inventory_kind === 'standing')
  const text = (key: 'name' | 'capacity' | 'blocked' | 'key') => ({
    label: words.fields[key],
    value: edit.value[key],
    error: edit.faults[key],
    onChange: (event: { currentTarget: { value: string } }) => edit.set(key, event.currentTarget.value),
  })
  return (
    <>
      <div className={classes.fields}>
        <TextInput {...text('name')} dir="auto" />
        <TextInput {...text('capacity')} inputMode="numeric" />
        <TextInput {...text('blocked')} inputMode="numeric" />
        <TextInput {...text('key')} spellCheck={false} />
      </div>
      <Checkbox
        label={words.fields.open}
        checked={edit.value.open}
        onChange={(event) => edit.set('open', event.currentTarget.checked)}
      />
      <Checkbox.Group
        label={words.fields.ticket_ids}
        value={edit.value.ticket_ids}
        onChange={(ids) => edit.set('ticket_ids', ids)}
        error={Object.entries(edit.faults).find(([key]) => key.startsWith('ticket_ids'))?.[1]}
      >
        {standing.length === 0 && (
          <Text size="sm" c="dimmed">
            {words.noStandingTickets}
          </Text>
        )}
        <div className={classes.checks}>
          {standing.map((ticket) => (
            <Checkbox key={ticket.id} value={String(ticket.id)} label={ticket.title} />
          ))}
        </div>
      </Checkbox.Group>
    </>
  )
}
