import { Modal, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useEdit } from '../../ui/form/edit.ts'
import { FormFooter } from '../../ui/form/form-end.tsx'
import { TimeField } from '../../ui/form/time-field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { fromZoned, toZoned } from '../../ui/zoned-time.ts'
import { publishWords } from './publish-words.ts'
import { type EventDetails, eventPathParams, invalidateEventQueries } from './queries.ts'
import classes from './setting-up.module.css'
import { suggestSlug } from './slugs.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

/** A week later at the same hour, until something else is said. */
const weekLater = ({ starts_at, time_zone }: EventDetails) => {
  const shown = toZoned(starts_at, time_zone)
  return new Date(Date.parse(`${shown}Z`) + WEEK_MS).toISOString().slice(0, 16)
}

export const CopyEvent = ({ event, close }: { event: EventDetails; close: () => void }) => {
  const words = useWords(publishWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const edit = useEdit({
    name: `copy of ${event.id}`,
    isNew: true,
    version: 0,
    value: { title: event.title, slug: '', starts_at: weekLater(event) },
    save: async ({ title, slug, starts_at }) => {
      const made = await dataOrThrow(
        api.POST('/admin/events/{event_slug}/copy', {
          params: eventPathParams(event.slug),
          body: {
            event: { title, slug: slug === '' ? null : slug, starts_at: fromZoned(starts_at, event.time_zone) ?? '' },
          },
        }),
      )
      showToast(words.copied)
      await invalidateEventQueries(queries)
      close()
      await navigate({ to: '/events/$slug/setup', params: { slug: made.slug } })
    },
  })
  const text = (key: 'title' | 'slug') => ({
    label: words.fields[key],
    value: edit.value[key],
    error: edit.faults[key],
    onChange: (changed: { currentTarget: { value: string } }) => edit.set(key, changed.currentTarget.value),
  })
  return (
    <Modal opened onClose={close} title={words.copyTitle} closeButtonProps={{ 'aria-label': common.close }}>
      <form
        className={classes.checks}
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault()
          if (!edit.isSaving) void edit.save()
        }}
      >
        <Text size="sm">{words.copyMore}</Text>
        <TimeField
          label={words.fields.starts_at}
          value={edit.value.starts_at}
          onChange={(value) => edit.set('starts_at', value)}
          error={edit.faults['starts_at']}
          zone={event.time_zone}
          required
        />
        <TextInput {...text('title')} dir="auto" />
        <TextInput {...text('slug')} placeholder={suggestSlug(edit.value.title)} spellCheck={false} />
        <FormFooter
          edit={edit}
          nameOf={(key) => (key in words.fields ? words.fields[key as keyof typeof words.fields] : key)}
          saveLabel={words.copyDo}
          isNew
        />
      </form>
    </Modal>
  )
}
