import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useEdit } from '../../ui/form/edit.ts'
import { FormFooter } from '../../ui/form/form-end.tsx'
import { useSession } from '../../ui/session.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { numberOfText, textOfNumber, textOrNull } from './details-form.ts'
import { type Venue, invalidateEventQueries, venuesQuery } from './queries.ts'
import classes from './setting-up.module.css'
import { setupWords } from './words.ts'

interface VenueSectionProps {
  /** The ID of a venue, or nothing. */
  value: string
  onChange: (id: string) => void
  error?: string | undefined
}

/** Where it is: one of the venues, or a new one, made on the spot. */
export const VenueSection = ({ value, onChange, error }: VenueSectionProps) => {
  const words = useWords(setupWords)
  const { data: venues = [] } = useQuery(venuesQuery())
  const [open, setOpen] = useState<'none' | 'new' | 'change'>('none')
  const chosen = venues.find(({ id }) => String(id) === value)
  return (
    <>
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label={words.fields.venue_id}
          value={value}
          onChange={(event) => {
            onChange(event.currentTarget.value)
            setOpen('none')
          }}
          error={error}
          data={[
            { value: '', label: words.venue.none },
            ...venues.map((venue) => ({
              value: String(venue.id),
              label: [venue.name, venue.city].filter(Boolean).join(', '),
            })),
          ]}
        />
        <Button
          variant="default"
          onClick={() => setOpen(open === 'new' ? 'none' : 'new')}
          aria-expanded={open === 'new'}
        >
          {words.venue.create}
        </Button>
        {chosen && (
          <Button
            variant="default"
            onClick={() => setOpen(open === 'change' ? 'none' : 'change')}
            aria-expanded={open === 'change'}
          >
            {words.venue.edit}
          </Button>
        )}
      </Group>
      {open === 'new' && (
        <VenueEditor
          key="new"
          onSaved={(venue) => {
            onChange(String(venue.id))
            setOpen('none')
          }}
        />
      )}
      {open === 'change' && chosen && <VenueEditor key={chosen.id} venue={chosen} onSaved={() => setOpen('none')} />}
    </>
  )
}

const FIELDS = ['name', 'address', 'postal_code', 'city', 'country', 'latitude', 'longitude'] as const

type VenueForm = Record<(typeof FIELDS)[number] | 'time_zone', string>

const formOf = (venue: Venue | undefined, zone: string): VenueForm => ({
  name: venue?.name ?? '',
  address: venue?.address ?? '',
  postal_code: venue?.postal_code ?? '',
  city: venue?.city ?? '',
  country: venue?.country ?? '',
  latitude: textOfNumber(venue?.latitude ?? null),
  longitude: textOfNumber(venue?.longitude ?? null),
  time_zone: venue?.time_zone ?? zone,
})

/** It stands within the form of an event, so it is a group of fields with a button and no form of its own. */
const VenueEditor = ({ venue, onSaved }: { venue?: Venue; onSaved: (venue: Venue) => void }) => {
  const words = useWords(setupWords)
  const queries = useQueryClient()
  const { account } = useSession()
  const edit = useEdit<VenueForm>({
    name: `venue ${venue?.id ?? 'new'}`,
    isNew: !venue,
    value: formOf(venue, account.time_zone),
    version: venue?.lock_version ?? 0,
    save: async (form, _, lock_version) => {
      const body = {
        name: form.name,
        address: textOrNull(form.address),
        postal_code: textOrNull(form.postal_code),
        city: textOrNull(form.city),
        country: textOrNull(form.country),
        latitude: numberOfText(form.latitude),
        longitude: numberOfText(form.longitude),
        time_zone: form.time_zone,
      }
      const saved = venue
        ? await dataOrThrow(
            api.PATCH('/admin/venues/{id}', {
              params: { path: { id: venue.id } },
              body: { venue: { ...body, lock_version } },
            }),
          )
        : await dataOrThrow(api.POST('/admin/venues', { body: { venue: body } }))
      await queries.invalidateQueries({ queryKey: ['venues'] })
      if (venue) await invalidateEventQueries(queries)
      showToast(words.saved)
      onSaved(saved)
    },
    ...(venue && {
      reload: async () => {
        const fresh = await dataOrThrow(api.GET('/admin/venues/{id}', { params: { path: { id: venue.id } } }))
        return { value: formOf(fresh, account.time_zone), version: fresh.lock_version }
      },
    }),
  })
  const label = (key: keyof VenueForm) => words.venue.fields[key]
  return (
    // Enter saves what it stands in, and not the event around it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes.card}
      role="group"
      aria-label={venue ? words.venue.edit : words.venue.create}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        void edit.save()
      }}
    >
      {venue && (
        <Text size="sm" c="dimmed">
          {words.venue.affects}
        </Text>
      )}
      <div className={classes.fields}>
        {FIELDS.map((key) => (
          <TextInput
            key={key}
            label={label(key)}
            value={edit.value[key]}
            onChange={(event) => edit.set(key, event.currentTarget.value)}
            error={edit.faults[key]}
            dir="auto"
          />
        ))}
        <NativeSelect
          label={label('time_zone')}
          value={edit.value.time_zone}
          onChange={(event) => edit.set('time_zone', event.currentTarget.value)}
          error={edit.faults['time_zone']}
          data={zones(edit.value.time_zone)}
        />
      </div>
      <FormFooter
        edit={edit}
        nameOf={(key) => (key in words.venue.fields ? label(key as keyof VenueForm) : key)}
        saveLabel={words.venue.save}
        isNew={!venue}
        onSave={() => void edit.save()}
      />
    </div>
  )
}

/** Those that the browser knows, and the one that is set. */
const zones = (own: string): string[] => [...new Set([own, ...Intl.supportedValuesOf('timeZone')])]
