import { Checkbox, NativeSelect, TextInput, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useEdit } from '../../ui/form/edit.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { textOrNull } from './details-form.ts'
import { splitLines } from './lists.ts'
import { PartForm } from './part-form.tsx'
import { partWords } from './part-words.ts'
import { PartsView } from './parts-view.tsx'
import { type Question, eventPathParams, questionsQuery, invalidateEventQueries } from './queries.ts'
import classes from './setting-up.module.css'
import { setupWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/setup')

export const QuestionsView = (): ReactNode => {
  const words = useWords(partWords).questions
  const { slug } = route.useParams()
  const query = useQuery(questionsQuery(slug))
  return (
    <PartsView
      query={query}
      words={words}
      nameOf={({ label }) => label}
      renderFacts={({ type, scope, required }) =>
        [words.types[type], words.scopes[scope], required && words.required].filter(Boolean).join(' · ')
      }
      renderForm={(question, close) => (
        <QuestionEditor key={question?.id ?? 'new'} slug={slug} question={question} close={close} />
      )}
      move={(id, position) =>
        dataOrThrow(
          api.PATCH('/admin/events/{event_slug}/questions/{id}/position', {
            params: { path: { event_slug: slug, id } },
            body: { position },
          }),
        )
      }
    />
  )
}

interface QuestionForm {
  label: string
  type: Question['type']
  scope: Question['scope']
  required: boolean
  complete_later: boolean
  options: string
  help_text: string
  key: string
}

const formOf = (question: Question | null): QuestionForm => ({
  label: question?.label ?? '',
  type: question?.type ?? 'text',
  scope: question?.scope ?? 'order',
  required: question?.required ?? false,
  complete_later: question?.complete_later ?? false,
  options: question?.options.join('\n') ?? '',
  help_text: question?.help_text ?? '',
  key: question?.key ?? '',
})

const hasOptions = (type: Question['type']) => type === 'select' || type === 'multi_select'

const bodyOf = (form: QuestionForm) => ({
  label: form.label,
  type: form.type,
  scope: form.scope,
  required: form.required,
  complete_later: form.complete_later,
  options: hasOptions(form.type) ? splitLines(form.options) : [],
  help_text: textOrNull(form.help_text),
  ...(form.key !== '' && { key: form.key }),
})

const save = (
  slug: string,
  question: Question | null,
  form: QuestionForm,
  changed: readonly string[],
  version: number,
) => {
  const body = bodyOf(form)
  if (!question) {
    return dataOrThrow(
      api.POST('/admin/events/{event_slug}/questions', { params: eventPathParams(slug), body: { question: body } }),
    )
  }
  // The kind of answer decides whether there is anything to choose from.
  const keys = new Set(changed.includes('type') ? [...changed, 'options'] : changed)
  const sent: Partial<typeof body> = Object.fromEntries(Object.entries(body).filter(([key]) => keys.has(key)))
  return dataOrThrow(
    api.PATCH('/admin/events/{event_slug}/questions/{id}', {
      params: { path: { event_slug: slug, id: question.id } },
      body: { question: { ...sent, lock_version: version } },
    }),
  )
}

interface QuestionEditorProps {
  slug: string
  question: Question | null
  close: () => void
}

const QuestionEditor = ({ slug, question, close }: QuestionEditorProps) => {
  const words = useWords(partWords)
  const { saved } = useWords(setupWords)
  const queries = useQueryClient()
  const edit = useEdit<QuestionForm>({
    name: `question ${question?.id ?? `new of ${slug}`}`,
    isNew: !question,
    value: formOf(question),
    version: question?.lock_version ?? 0,
    save: async (form, changed, version) => {
      await save(slug, question, form, changed, version)
      showToast(saved)
      await invalidateEventQueries(queries)
      close()
    },
    ...(question && {
      reload: async () => {
        const { questions } = await queries.fetchQuery({ ...questionsQuery(slug), staleTime: 0 })
        const fresh = questions.find(({ id }) => id === question.id) ?? question
        return { value: formOf(fresh), version: fresh.lock_version }
      },
    }),
  })
  const remove = question
    ? () =>
        dataOrThrow(
          api.DELETE('/admin/events/{event_slug}/questions/{id}', {
            params: { path: { event_slug: slug, id: question.id } },
          }),
        )
    : null
  return (
    <PartForm
      edit={edit}
      names={words.questions.fields}
      createLabel={words.questions.create}
      remove={remove}
      close={close}
    >
      <QuestionFields edit={edit} />
    </PartForm>
  )
}

const TYPES = ['text', 'textarea', 'select', 'multi_select', 'checkbox', 'number', 'date', 'email', 'phone'] as const

const QuestionFields = ({ edit }: { edit: ReturnType<typeof useEdit<QuestionForm>> }) => {
  const common = useWords(partWords)
  const words = common.questions
  const text = (key: 'label' | 'type' | 'scope' | 'options' | 'help_text' | 'key') => ({
    label: words.fields[key],
    value: edit.value[key],
    error: edit.faults[key],
    onChange: (event: { currentTarget: { value: string } }) => edit.set(key, event.currentTarget.value),
  })
  const check = (key: 'required' | 'complete_later') => ({
    label: words.fields[key],
    checked: edit.value[key],
    error: edit.faults[key],
    onChange: (event: { currentTarget: { checked: boolean } }) => edit.set(key, event.currentTarget.checked),
  })
  return (
    <>
      <TextInput {...text('label')} dir="auto" />
      <div className={classes.fields}>
        <NativeSelect {...text('type')} data={TYPES.map((value) => ({ value, label: words.types[value] }))} />
        <NativeSelect
          {...text('scope')}
          data={(['order', 'attendee'] as const).map((value) => ({ value, label: words.scopes[value] }))}
        />
        {hasOptions(edit.value.type) && (
          <Textarea {...text('options')} description={common.oneToALine} autosize minRows={3} dir="auto" />
        )}
        <TextInput {...text('help_text')} dir="auto" />
        <TextInput {...text('key')} spellCheck={false} />
      </div>
      <div className={classes.checks}>
        <Checkbox {...check('required')} />
        <Checkbox {...check('complete_later')} />
      </div>
    </>
  )
}
