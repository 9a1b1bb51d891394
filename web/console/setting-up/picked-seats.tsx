import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { type Place, type Ticket, eventPathParams, invalidateEventQueries } from './queries.ts'
import { seatWords } from './seat-words.ts'
import classes from './setting-up.module.css'
import type { PlaceChange } from './use-change-places.ts'

interface PickedSeatsProps {
  slug: string
  picked: readonly Place[]
  tickets: readonly Ticket[]
  change: (ids: readonly number[], place: PlaceChange, said: string) => Promise<boolean>
  clear: () => void
}

/** What can become of the seats that are picked. */
export const PickedSeats = ({ slug, picked, tickets, change, clear }: PickedSeatsProps) => {
  const words = useWords(seatWords)
  const { number } = useFormat()
  const ids = picked.map(({ id }) => id)
  const count = number(ids.length)
  const run = async (place: PlaceChange, said: string) => {
    if (await change(ids, place, said)) clear()
  }
  return (
    <div className={classes.pickedBar} role="group" aria-label={words.picked(count)}>
      <strong role="status">{words.picked(count)}</strong>
      <Button size="compact-md" variant="default" onClick={() => void run({ blocked: true }, words.blocked(count))}>
        {words.block}
      </Button>
      <Button size="compact-md" variant="default" onClick={() => void run({ blocked: false }, words.unblocked(count))}>
        {words.unblock}
      </Button>
      {tickets.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={words.changeTicket}
          value=""
          onChange={(event) => void run({ ticket_id: Number(event.currentTarget.value) }, words.changed)}
          data={[
            { value: '', label: words.changeTicket, disabled: true },
            ...tickets.map(({ id, title }) => ({ value: String(id), label: title })),
          ]}
        />
      )}
      <PairButtons picked={picked} change={change} clear={clear} />
      {picked.length === 1 && <Rename key={picked[0]!.id} place={picked[0]!} change={change} />}
      <RemoveSeats slug={slug} ids={ids} clear={clear} />
      <Button size="compact-md" variant="subtle" color="gray" onClick={clear}>
        {words.clear}
      </Button>
    </div>
  )
}

/** Two ordinary seats become a pair: the one that was picked first is the wheelchair's. */
const PairButtons = ({ picked, change, clear }: Pick<PickedSeatsProps, 'picked' | 'change' | 'clear'>) => {
  const words = useWords(seatWords)
  const [first, second] = picked
  const arePlain = picked.every(({ accessibility }) => accessibility === null)
  const pairUp = async () => {
    // A companion's seat is one of a pair at all times, so it becomes one in the step that pairs them.
    const isDone =
      (await change([first!.id], { accessibility: 'wheelchair' }, words.changed)) &&
      (await change([second!.id], { accessibility: 'companion', pair: first!.key }, words.changed))
    if (isDone) clear()
  }
  const makePlain = async () => {
    if (
      await change(
        picked.map(({ id }) => id),
        { accessibility: null, pair: null },
        words.changed,
      )
    )
      clear()
  }
  if (picked.length === 2 && arePlain) {
    return (
      <Button size="compact-md" variant="default" onClick={() => void pairUp()}>
        {words.makePair}
      </Button>
    )
  }
  if (arePlain) return null
  return (
    <Button size="compact-md" variant="default" onClick={() => void makePlain()}>
      {words.makePlain}
    </Button>
  )
}

const Rename = ({ place, change }: { place: Place; change: PickedSeatsProps['change'] }) => {
  const words = useWords(seatWords)
  const [label, setLabel] = useState(place.label)
  return (
    <form
      className={classes.part}
      onSubmit={(event) => {
        event.preventDefault()
        void change([place.id], { label }, words.changed)
      }}
    >
      <TextInput
        size="xs"
        aria-label={words.rename}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        dir="auto"
      />
      <Button type="submit" size="compact-md" variant="default" disabled={label === place.label || label.trim() === ''}>
        {words.renameSave}
      </Button>
    </form>
  )
}

const RemoveSeats = ({ slug, ids, clear }: { slug: string; ids: readonly number[]; clear: () => void }) => {
  const words = useWords(seatWords)
  const { number } = useFormat()
  const queries = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const remove = async () => {
    setIsAsked(false)
    try {
      await dataOrThrow(
        api.DELETE('/admin/events/{event_slug}/places', {
          params: eventPathParams(slug),
          body: { place_ids: [...ids] },
        }),
      )
      showToast(words.removed(number(ids.length)))
      clear()
    } catch (error) {
      showErrorToast(faultsByField(error)['place_ids'] ?? refusalSentence(error))
    }
    await invalidateEventQueries(queries)
  }
  if (!isAsked) {
    return (
      <Button size="compact-md" variant="subtle" color="bad" onClick={() => setIsAsked(true)}>
        {words.remove}
      </Button>
    )
  }
  return (
    <>
      <Button size="compact-md" color="bad" onClick={() => void remove()}>
        {words.reallyRemove(number(ids.length))}
      </Button>
      <Button size="compact-md" variant="default" onClick={() => setIsAsked(false)}>
        {words.keepThem}
      </Button>
    </>
  )
}
