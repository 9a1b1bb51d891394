import { Button, CloseButton, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { parseTypedParty } from '../../../src/guest-list/typed-party/rules.ts'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useDraft } from '../../ui/draft.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { useLatest } from '../../ui/latest.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { type Party, type PartySummary, type TicketOption, findPartiesOfSimilarName, makeSearchable } from './rules.ts'
import { SeatPicker } from './seat-picker.tsx'
import { TicketChoice } from './ticket-choice.tsx'
import { guestWords } from './words.ts'

interface QuickAddProps {
  slug: string
  parties: readonly PartySummary[]
  options: readonly TicketOption[]
  onClose: () => void
}

interface Choice {
  ticketId: number | null
  areaId: number | null
}

/** What was in the form when it was sent. */
interface Sent {
  text: string
  email: string
  seats: number[]
}

/** What was typed names a ticket, else the one that was picked last. */
const chosenOf = (typed: Choice, picked: Choice, options: readonly TicketOption[]) => {
  const ticketId = typed.ticketId ?? picked.ticketId
  const option = options.find(({ id }) => id === ticketId) ?? options[0] ?? null
  const areas = option?.standing_areas ?? []
  const wanted = typed.ticketId === null ? picked.areaId : (typed.areaId ?? picked.areaId)
  const area = areas.find(({ id }) => id === wanted) ?? (areas.length === 1 ? areas[0] : undefined)
  return { option, areaId: area?.id ?? null }
}

/** “Zoë Lindqvist +3 press” and Enter. Everything else can be picked, and need not be. */
export const QuickAdd = ({ slug, parties, options, onClose }: QuickAddProps) => {
  const words = useWords(guestWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const [text, setText, drop] = useDraft(`guest of ${slug}`)
  const [email, setEmail] = useState('')
  const [picked, setPicked] = useState<Choice>({ ticketId: null, areaId: null })
  const [seats, setSeats] = useState<number[]>([])
  const field = useRef<HTMLInputElement>(null)
  /** The address of the next one may be there before the one before is on the list. */
  const emailNow = useLatest(email)
  useLayoutEffect(() => field.current?.focus(), [])
  useShortcuts([{ keys: 'Escape', label: common.close, run: onClose, whileTyping: true }])

  const typed = useMemo(() => parseTypedParty(text, options), [text, options])
  const { option, areaId } = chosenOf(typed, picked, options)
  const size = typed.companions + 1
  const isSeated = option?.inventory_kind === 'places'

  const creation = useMutation({
    mutationFn: (_sent: Sent) =>
      dataOrThrow(
        api.POST('/admin/events/{event_slug}/guest_parties', {
          params: { path: { event_slug: slug } },
          body: {
            guest_party: {
              customer_name: typed.name,
              // Where none was chosen, that is what the server asks for.
              ticket_id: option?.id as number,
              ...(areaId !== null && { event_capacity_pool_id: areaId }),
              ...(isSeated ? { event_place_ids: seats } : { party_size: size }),
              delivery_email: email || null,
              staff_note: typed.note || null,
            },
          },
        }),
      ),
    onSuccess: (party, sent) => {
      drop(sent.text)
      setSeats((now) => (now === sent.seats ? [] : now))
      if (emailNow.current === sent.email) {
        setEmail('')
        field.current?.focus()
      }
      showToast(words.quick.done(shownName(party)), { label: words.quick.undo, run: () => undo.mutate(party) })
      // Not waited for: the next one may be entered meanwhile.
      void queries.invalidateQueries({ queryKey: ['events', slug] })
    },
  })
  const undo = useMutation({
    mutationFn: (party: Party) =>
      dataOrThrow(
        api.POST('/admin/events/{event_slug}/guest_parties/{public_id}/cancellation', {
          params: { path: { event_slug: slug, public_id: party.public_id } },
        }),
      ),
    onSuccess: async (party) => {
      showToast(words.quick.undone(shownName(party)))
      await queries.invalidateQueries({ queryKey: ['events', slug] })
    },
    onError: (error) => showErrorToast(refusalSentence(error)),
  })

  const faults = creation.isError ? faultsByField(creation.error) : {}
  const general = creation.isError && Object.keys(faults).every((name) => !SHOWN_FAULTS.has(name))
  const submit = () => {
    if (!creation.isPending && typed.name !== '') creation.mutate({ text, email, seats })
  }

  return (
    <form
      className={classes.quickAdd}
      aria-label={words.add}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className={classes.quickHead}>
        <TextInput
          ref={field}
          className={classes.quickField}
          label={words.quick.label}
          description={words.quick.help}
          placeholder={words.quick.hint}
          value={text}
          dir="auto"
          onChange={(event) => {
            setText(event.currentTarget.value)
            if (creation.isError) creation.reset()
          }}
          error={faults['customer_name'] ?? faults['party_size'] ?? faults['staff_note']}
          autoComplete="off"
        />
        <CloseButton aria-label={common.close} onClick={onClose} />
      </div>
      <p className={classes.understood} aria-live="polite">
        {typed.name !== '' && (
          <>
            <bdi>{typed.name}</bdi> · {words.people(size)}
            {option && (
              <>
                {' · '}
                <bdi>{option.title}</bdi>
              </>
            )}
            {typed.note !== '' && (
              <>
                {` · ${words.quick.note}: `}
                <bdi>{typed.note}</bdi>
              </>
            )}
          </>
        )}
      </p>
      <Similar slug={slug} name={typed.name} parties={parties} />
      <div className={classes.quickChoices}>
        <TicketChoice
          options={options}
          ticketId={option?.id ?? null}
          areaId={areaId}
          onChange={(choice) => {
            setPicked(choice)
            setSeats([])
          }}
          faults={faults}
        />
        <TextInput
          label={words.quick.email}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faults['delivery_email']}
          autoComplete="off"
        />
        <Button type="submit" loading={creation.isPending} disabled={typed.name === ''}>
          {words.quick.submit}
        </Button>
      </div>
      {isSeated && (
        <SeatPicker
          slug={slug}
          option={option}
          wanted={size}
          picked={seats}
          onPick={setSeats}
          fault={faults['event_place_ids']}
        />
      )}
      {general && (
        <p className={classes.fault} role="alert">
          {refusalSentence(creation.error)}
        </p>
      )}
    </form>
  )
}

const SHOWN_FAULTS = new Set([
  'customer_name',
  'party_size',
  'staff_note',
  'ticket_id',
  'event_capacity_pool_id',
  'delivery_email',
  'event_place_ids',
])

const shownName = ({ customer_name: name, party_size: size, admissions }: Party) => {
  const count = Math.max(size, admissions.length)
  return count > 1 ? `${name} +${count - 1}` : name
}

const SIMILAR_MAX = 3

const Similar = ({ slug, name, parties }: { slug: string; name: string; parties: readonly PartySummary[] }) => {
  const words = useWords(guestWords)
  const wanted = useDeferredValue(name)
  const found = useMemo(
    () => (wanted.length < 3 ? [] : findPartiesOfSimilarName(makeSearchable(parties), wanted, SIMILAR_MAX)),
    [wanted, parties],
  )
  if (found.length === 0) return null
  return (
    <p className={classes.similar} role="status">
      {words.quick.similar}{' '}
      {found.map(({ public_id: id, customer_name, party_size, ticket_title }) => (
        <Link key={id} to="/events/$slug/guests/$party" params={{ slug, party: id }} dir="auto">
          {[customer_name, words.people(party_size), ticket_title].filter(Boolean).join(', ')}
        </Link>
      ))}
    </p>
  )
}
