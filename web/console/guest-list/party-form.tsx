import { Button, Group, TextInput, Textarea, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow, isRefusal } from '../../api/client.ts'
import { useDraft } from '../../ui/draft.ts'
import { isSame } from '../../ui/form/edit.ts'
import { useLatest } from '../../ui/latest.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { AnswerField } from './answer-field.tsx'
import classes from './guest-list.module.css'
import { partyQuery, questionsQuery } from './queries.ts'
import { type Party, isUnnamed, liveAdmissions } from './rules.ts'
import { guestWords } from './words.ts'

const TEXTS = ['customer_name', 'delivery_email', 'customer_phone', 'customer_company', 'staff_note'] as const
type TextName = (typeof TEXTS)[number]

type Answer = string | boolean | string[]

/** What was changed and not saved yet; the rest is as it is stored. */
interface Changes {
  texts: Partial<Record<TextName, string>>
  /** What stood there when somebody began to write. */
  before: Partial<Record<TextName, string | null>>
  names: Record<string, string>
  answers: Record<string, Answer>
  attendees: Record<string, Record<string, Answer>>
}

const NO_CHANGES: Changes = { texts: {}, before: {}, names: {}, answers: {}, attendees: {} }

const differing = <Value,>(now: Record<string, Value>, sent: Record<string, Value>) =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => !isSame(value, sent[key])))

/** What was typed after something had been sent, over what is stored by now. */
const typedSince = (now: Changes, sent: Changes, saved: Party): Changes => {
  const texts = differing(now.texts, sent.texts)
  return {
    texts,
    before: Object.fromEntries(Object.keys(texts).map((name) => [name, saved[name as TextName]])),
    names: differing(now.names, sent.names),
    answers: differing(now.answers, sent.answers),
    attendees: differing(now.attendees, sent.attendees),
  }
}

/** Changes are kept in the tab, so that neither a reload nor the end of a session loses them. */
const useChanges = (publicId: string) => {
  const [draft, setDraft, drop] = useDraft(`party ${publicId}`)
  const changes: Changes = draft === '' ? NO_CHANGES : (JSON.parse(draft) as Changes)
  const now = useLatest(changes)
  const change = (next: Changes) => setDraft(isSame(next, NO_CHANGES) ? '' : JSON.stringify(next))
  const settle = (sent: Changes, saved: Party) => change(typedSince(now.current, sent, saved))
  return { changes, change, drop, settle, isChanged: draft !== '' }
}

interface PartyFormProps {
  slug: string
  party: Party
  isLive: boolean
}

export const PartyForm = ({ slug, party, isLive }: PartyFormProps) => {
  const words = useWords(guestWords)
  const queries = useQueryClient()
  const questions = useQuery(questionsQuery(slug))
  const { changes, change, drop, settle, isChanged } = useChanges(party.public_id)
  const path = { event_slug: slug, public_id: party.public_id }

  const saving = useMutation({
    mutationFn: (given: Changes) =>
      dataOrThrow(
        api.PATCH('/admin/events/{event_slug}/guest_parties/{public_id}', {
          params: { path },
          body: { guest_party: bodyOf(party, given), before: given.before },
        }),
      ),
    onSuccess: (saved, sent) => {
      settle(sent, saved)
      queries.setQueryData(partyQuery(slug, party.public_id).queryKey, saved)
      showToast(words.page.saved)
      // Not waited for: what was typed meanwhile may be saved at once.
      void queries.invalidateQueries({ queryKey: ['events', slug] })
    },
    onError: async (error) => {
      if (isRefusal(error, 'conflict')) await queries.invalidateQueries({ queryKey: ['events', slug, 'guest party'] })
    },
  })
  const isConflict = isRefusal(saving.error, 'conflict')
  const faults = faultsByField(saving.error)

  const setText = (name: TextName, value: string) => {
    if (saving.isError) saving.reset()
    const before = { ...changes.before }
    if (!(name in before)) before[name] = party[name]
    change({ ...changes, texts: { ...changes.texts, [name]: value }, before })
  }
  const textOf = (name: TextName) => changes.texts[name] ?? party[name] ?? ''
  const companions = liveAdmissions(party).slice(1)
  const asked = questions.data ?? []

  return (
    <form
      className={classes.partyForm}
      aria-label={words.page.details}
      onSubmit={(event) => {
        event.preventDefault()
        if (!saving.isPending) saving.mutate(changes)
      }}
    >
      <Title order={2} size="lg">
        {words.page.details}
      </Title>
      {isConflict && (
        <Conflict
          party={party}
          changes={changes}
          onKeepTheirs={() => {
            saving.reset()
            drop()
          }}
          onSaveMine={() => {
            const before = Object.fromEntries(
              Object.keys(changes.before).map((name) => [name, party[name as TextName]]),
            )
            saving.mutate({ ...changes, before })
          }}
        />
      )}
      {TEXTS.map((name) => {
        const Field = name === 'staff_note' ? Textarea : TextInput
        return (
          <Field
            key={name}
            label={words.page[LABELS[name]]}
            value={textOf(name)}
            dir="auto"
            disabled={!isLive}
            error={faults[name]}
            autoComplete="off"
            onChange={(event) => setText(name, event.currentTarget.value)}
            {...(name === 'delivery_email' && { type: 'email' })}
            {...(name === 'staff_note' && { autosize: true, minRows: 2 })}
          />
        )
      })}
      {companions.length > 0 && (
        <fieldset className={classes.group}>
          <legend>{words.page.companions}</legend>
          {companions.map((admission, n) => (
            <TextInput
              key={admission.public_id}
              aria-label={words.page.companionName(n + 1)}
              placeholder={words.page.companionName(n + 1)}
              value={changes.names[admission.public_id] ?? (isUnnamed(party, admission) ? '' : admission.attendee_name)}
              dir="auto"
              disabled={!isLive}
              autoComplete="off"
              onChange={(event) =>
                change({ ...changes, names: { ...changes.names, [admission.public_id]: event.currentTarget.value } })
              }
            />
          ))}
          {faults['attendee_names'] && <p className={classes.fault}>{faults['attendee_names']}</p>}
        </fieldset>
      )}
      {asked.length > 0 && (
        <fieldset className={classes.group}>
          <legend>{words.page.questions}</legend>
          {asked
            .filter(({ scope }) => scope === 'order')
            .map((question) => (
              <AnswerField
                key={question.id}
                question={question}
                value={changes.answers[question.id] ?? party.custom_field_answers[question.id]}
                isDisabled={!isLive}
                onChange={(value) => change({ ...changes, answers: { ...changes.answers, [question.id]: value } })}
              />
            ))}
          {liveAdmissions(party).flatMap((admission) =>
            asked
              .filter(({ scope }) => scope === 'attendee')
              .map((question) => {
                const own = changes.attendees[admission.public_id] ?? {}
                return (
                  <AnswerField
                    key={`${admission.public_id} ${question.id}`}
                    question={question}
                    whose={admission.attendee_name}
                    value={own[question.id] ?? admission.custom_field_answers[question.id]}
                    isDisabled={!isLive}
                    onChange={(value) =>
                      change({
                        ...changes,
                        attendees: { ...changes.attendees, [admission.public_id]: { ...own, [question.id]: value } },
                      })
                    }
                  />
                )
              }),
          )}
          {(faults['custom_field_answers'] ?? faults['attendee_custom_field_answers']) && (
            <p className={classes.fault}>{faults['custom_field_answers'] ?? faults['attendee_custom_field_answers']}</p>
          )}
        </fieldset>
      )}
      {saving.isError && !isConflict && (
        <p className={classes.fault} role="alert">
          {refusalSentence(saving.error)}
        </p>
      )}
      {isLive && (
        <Group gap="xs">
          <Button type="submit" loading={saving.isPending} disabled={!isChanged || isConflict}>
            {words.page.save}
          </Button>
          {isChanged && (
            <Button variant="subtle" color="gray" onClick={() => drop()}>
              {words.page.discard}
            </Button>
          )}
        </Group>
      )}
    </form>
  )
}

const LABELS = {
  customer_name: 'name',
  delivery_email: 'email',
  customer_phone: 'phone',
  customer_company: 'company',
  staff_note: 'note',
} as const

/** Only what was changed; of those whose answers changed, all of them, since they are judged together. */
const bodyOf = (party: Party, { texts, names, answers, attendees }: Changes) => ({
  ...texts,
  ...(Object.keys(names).length > 0 && { attendee_names: names }),
  ...(Object.keys(answers).length > 0 && { custom_field_answers: { ...party.custom_field_answers, ...answers } }),
  ...(Object.keys(attendees).length > 0 && {
    attendee_custom_field_answers: Object.fromEntries(
      Object.entries(attendees).map(([id, own]) => {
        const stored = party.admissions.find(({ public_id }) => public_id === id)?.custom_field_answers
        return [id, { ...stored, ...own }]
      }),
    ),
  }),
})

interface ConflictProps {
  party: Party
  changes: Changes
  onKeepTheirs: () => void
  onSaveMine: () => void
}

/** Both versions side by side; nobody's words are lost unseen. */
const Conflict = ({ party, changes, onKeepTheirs, onSaveMine }: ConflictProps) => {
  const words = useWords(guestWords)
  const differing = TEXTS.filter(
    (name) => name in changes.before && (party[name] ?? '') !== (changes.before[name] ?? ''),
  )
  return (
    <div className={classes.conflict} role="alert">
      <strong>{words.page.conflict}</strong>
      {differing.map((name) => (
        <dl key={name}>
          <dt>{`${words.page[LABELS[name]]}, ${words.page.theirs.toLowerCase()}`}</dt>
          <dd dir="auto">{party[name] ?? '–'}</dd>
          <dt>{words.page.yours}</dt>
          <dd dir="auto">{changes.texts[name] || '–'}</dd>
        </dl>
      ))}
      <Group gap="xs">
        <Button size="compact-md" variant="default" onClick={onKeepTheirs}>
          {words.page.keepTheirs}
        </Button>
        <Button size="compact-md" onClick={onSaveMine}>
          {words.page.saveMine}
        </Button>
      </Group>
    </div>
  )
}
