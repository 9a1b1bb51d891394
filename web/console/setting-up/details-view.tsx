import { Checkbox, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { RichTextField } from '../../ui/editor/rich-text-field.tsx'
import { type EditState, useEdit } from '../../ui/form/edit.ts'
import { FormFooter } from '../../ui/form/form-end.tsx'
import { TimeField } from '../../ui/form/time-field.tsx'
import { useSession } from '../../ui/session.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { type DetailsForm, changedFieldsOf, detailsFormOf } from './details-form.ts'
import { FaqSection } from './faq-section.tsx'
import { GalleryField, ImageField } from '../../ui/image-field/image-field.tsx'
import { PerformersSection } from './performers-section.tsx'
import { type EventDetails, eventQuery, eventPathParams, invalidateEventQueries, venuesQuery } from './queries.ts'
import classes from './setting-up.module.css'
import { VenueSection } from './venue-section.tsx'
import { setupWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/setup')

export const DetailsView = (): ReactNode => {
  const { slug } = route.useParams()
  const { data: event } = useQuery(eventQuery(slug))
  return event ? <DetailsEditor key={event.id} event={event} /> : null
}

const DetailsEditor = ({ event }: { event: EventDetails }) => {
  const words = useWords(setupWords)
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const { account } = useSession()
  const { data: venues = [] } = useQuery(venuesQuery())
  const { slug } = event
  const zoneOf = (form: DetailsForm) =>
    form.venue_id === String(event.venue_id ?? '')
      ? event.time_zone
      : (venues.find(({ id }) => String(id) === form.venue_id)?.time_zone ?? account.time_zone)

  const edit = useEdit<DetailsForm>({
    name: `event ${event.id}`,
    value: detailsFormOf(event),
    version: event.lock_version,
    save: async (form, changed, lock_version) => {
      const body = { event: { ...changedFieldsOf(form, changed, zoneOf(form), event.time_zone), lock_version } }
      const saved = await dataOrThrow(api.PATCH('/admin/events/{event_slug}', { params: eventPathParams(slug), body }))
      queries.setQueryData(eventQuery(saved.slug).queryKey, saved)
      showToast(words.saved)
      if (saved.slug !== slug) {
        await navigate({ to: '/events/$slug/setup', params: { slug: saved.slug }, replace: true })
      }
      await invalidateEventQueries(queries)
    },
    reload: async () => {
      const fresh = await queries.fetchQuery({ ...eventQuery(slug), staleTime: 0 })
      return { value: detailsFormOf(fresh), version: fresh.lock_version }
    },
  })
  const zone = zoneOf(edit.value)
  const nameOf = (key: string) => {
    const [first = ''] = key.split(/[.[]/)
    return first in words.fields ? words.fields[first as keyof typeof words.fields] : key
  }

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault()
        if (!edit.isSaving) void edit.save()
      }}
    >
      <Basics edit={edit} zone={zone} />
      <Section title={words.sections.venue}>
        <VenueSection
          value={edit.value.venue_id}
          onChange={(id) => edit.set('venue_id', id)}
          error={edit.faults['venue_id']}
        />
      </Section>
      <Texts edit={edit} />
      <Images edit={edit} />
      <Section title={words.sections.performers}>
        <PerformersSection
          value={edit.value.performers}
          onChange={(performers) => edit.set('performers', performers)}
          faults={edit.faults}
          zone={zone}
        />
      </Section>
      <Section title={words.sections.faq}>
        <FaqSection
          value={edit.value.faq_items}
          onChange={(items) => edit.set('faq_items', items)}
          faults={edit.faults}
        />
      </Section>
      <FormFooter edit={edit} nameOf={nameOf} isSticky />
    </form>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.section} aria-label={title}>
    <h2 className={classes.sectionTitle}>{title}</h2>
    {children}
  </section>
)

type TextKey = {
  [Key in keyof DetailsForm]: DetailsForm[Key] extends string ? Key : never
}[keyof DetailsForm]

const Basics = ({ edit, zone }: { edit: EditState<DetailsForm>; zone: string }) => {
  const words = useWords(setupWords)
  const text = (key: TextKey) => ({
    label: words.fields[key],
    value: edit.value[key],
    error: edit.faults[key],
    onChange: (event: { currentTarget: { value: string } }) => edit.set(key, event.currentTarget.value),
  })
  const time = (key: TextKey) => ({
    ...text(key),
    zone,
    onChange: (value: string) => edit.set(key, value),
  })
  const check = (key: 'show_end_time' | 'reentry' | 'listed') => ({
    label: words.fields[key],
    checked: edit.value[key],
    error: edit.faults[key],
    onChange: (event: { currentTarget: { checked: boolean } }) => edit.set(key, event.currentTarget.checked),
  })
  return (
    <Section title={words.sections.basics}>
      <TextInput {...text('title')} dir="auto" required withAsterisk={false} />
      <TextInput {...text('slug')} description={words.hints.slug} spellCheck={false} />
      <div className={classes.fields}>
        <TimeField {...time('doors_open_at')} />
        <TimeField {...time('starts_at')} required />
        <TimeField {...time('ends_at')} />
        <TimeField {...time('sales_starts_at')} description={words.hints.sales} />
        <TimeField {...time('sales_ends_at')} description={words.hints.sales} />
        <TextInput {...text('capacity')} inputMode="numeric" description={words.hints.capacity} />
        <TextInput {...text('minimum_age')} inputMode="numeric" />
      </div>
      <div className={classes.checks}>
        <Checkbox {...check('listed')} description={words.hints.listed} />
        <Checkbox {...check('show_end_time')} />
        <Checkbox {...check('reentry')} />
      </div>
    </Section>
  )
}

const Texts = ({ edit }: { edit: EditState<DetailsForm> }) => {
  const words = useWords(setupWords)
  return (
    <Section title={words.sections.texts}>
      <RichTextField
        label={words.fields.description}
        value={edit.value.description}
        onChange={(html) => edit.set('description', html)}
        error={edit.faults['description']}
      />
      <div className={classes.fields}>
        <TextInput
          type="url"
          label={words.fields.video_url}
          value={edit.value.video_url}
          onChange={(event) => edit.set('video_url', event.currentTarget.value)}
          error={edit.faults['video_url']}
        />
        <TextInput
          label={words.fields.video_title}
          value={edit.value.video_title}
          onChange={(event) => edit.set('video_title', event.currentTarget.value)}
          error={edit.faults['video_title']}
          dir="auto"
        />
      </div>
    </Section>
  )
}

const Images = ({ edit }: { edit: EditState<DetailsForm> }) => {
  const words = useWords(setupWords)
  return (
    <Section title={words.sections.images}>
      {(['image', 'background_image'] as const).map((key) => (
        <ImageField
          key={key}
          label={words.fields[key]}
          value={edit.value[key]}
          onChange={(image) => edit.set(key, image)}
          error={edit.faults[key]}
        />
      ))}
      <GalleryField
        label={words.fields.gallery_images}
        value={edit.value.gallery_images}
        onChange={(images) => edit.set('gallery_images', images)}
        error={Object.entries(edit.faults).find(([key]) => key.startsWith('gallery_images'))?.[1]}
      />
    </Section>
  )
}
