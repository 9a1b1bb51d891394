import { Text, TextInput, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { useEdit } from '../../ui/form/edit.ts'
import { useFocusOnFirstField } from '../../ui/form/focus.ts'
import { FormFooter } from '../../ui/form/form-end.tsx'
import { TimeField } from '../../ui/form/time-field.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import { fromZoned } from '../../ui/zoned-time.ts'
import { numberOfText } from './details-form.ts'
import { invalidateEventQueries, venuesQuery } from './queries.ts'
import classes from './setting-up.module.css'
import { suggestSlug } from './slugs.ts'
import { VenueSection } from './venue-section.tsx'
import { setupWords } from './words.ts'

interface NewEventForm {
  title: string
  starts_at: string
  doors_open_at: string
  venue_id: string
  slug: string
}

/** As little as an event can begin with; everything else has its place afterwards. */
export const NewEventView = (): ReactNode => {
  const words = useWords(setupWords)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { account } = useSession()
  const { data: venues = [] } = useQuery(venuesQuery())
  const first = useFocusOnFirstField()
  usePageTitle(words.newEvent)
  const zoneOf = (id: string) => venues.find((venue) => String(venue.id) === id)?.time_zone ?? account.time_zone
  const edit = useEdit<NewEventForm>({
    name: 'new event',
    isNew: true,
    version: 0,
    value: { title: '', starts_at: '', doors_open_at: '', venue_id: '', slug: '' },
    save: async (form) => {
      const at = (shown: string) => (shown === '' ? null : fromZoned(shown, zoneOf(form.venue_id)))
      const made = await dataOrThrow(
        api.POST('/admin/events', {
          body: {
            event: {
              title: form.title,
              starts_at: at(form.starts_at) ?? '',
              doors_open_at: at(form.doors_open_at),
              venue_id: numberOfText(form.venue_id),
              slug: form.slug === '' ? null : form.slug,
            },
          },
        }),
      )
      await invalidateEventQueries(queries)
      await navigate({ to: '/events/$slug/setup', params: { slug: made.slug } })
    },
  })
  const zone = zoneOf(edit.value.venue_id)
  const text = (key: 'title' | 'slug') => ({
    label: words.fields[key],
    value: edit.value[key],
    error: edit.faults[key],
    onChange: (event: { currentTarget: { value: string } }) => edit.set(key, event.currentTarget.value),
  })
  const time = (key: 'starts_at' | 'doors_open_at') => ({
    label: words.fields[key],
    value: edit.value[key],
    error: edit.faults[key],
    onChange: (value: string) => edit.set(key, value),
    zone,
  })
  const suggested = suggestSlug(edit.value.title)
  const slug = edit.value.slug || suggested

  return (
    <>
      <BackLink to="/events">{words.allEvents}</BackLink>
      <Title order={1} size="h2">
        {words.newEvent}
      </Title>
      <Text c="dimmed" mb="lg">
        {words.newEventMore}
      </Text>
      <form
        ref={first}
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!edit.isSaving) void edit.save()
        }}
      >
        <div className={classes.section}>
          <TextInput {...text('title')} dir="auto" required withAsterisk={false} />
          <div className={classes.fields}>
            <TimeField {...time('starts_at')} required />
            <TimeField {...time('doors_open_at')} />
          </div>
          <VenueSection
            value={edit.value.venue_id}
            onChange={(id) => edit.set('venue_id', id)}
            error={edit.faults['venue_id']}
          />
          <TextInput
            {...text('slug')}
            placeholder={suggested}
            spellCheck={false}
            description={slug === '' ? words.hints.slug : words.address(`${account.shop_url}/events/${slug}`)}
          />
        </div>
        <FormFooter
          edit={edit}
          nameOf={(key) => (key in words.fields ? words.fields[key as keyof typeof words.fields] : key)}
          saveLabel={words.create}
          isNew
        />
      </form>
    </>
  )
}
