import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { MoveSeats, type MovedParty, useSeatsByParty } from './move-seats.tsx'
import type { TicketMove } from './move-parties.ts'
import type { TicketOption } from './rules.ts'
import { TicketChoice } from './ticket-choice.tsx'
import { guestWords } from './words.ts'

interface MoveDialogProps {
  slug: string
  parties: readonly MovedParty[]
  options: readonly TicketOption[]
  isPending: boolean
  /** Why the whole of it was refused. */
  error: unknown
  /** Why some could not be moved. */
  faults: ReadonlyMap<string, string>
  onMove: (move: TicketMove) => void
  onClose: () => void
}

const SHOWN_FAULTS = new Set(['ticket_id', 'event_capacity_pool_id'])

/** Another ticket for one party or many, with the seats they get and who will be told. */
const MoveDialog = ({ slug, parties, options, isPending, error, faults, onMove, onClose }: MoveDialogProps) => {
  const words = useWords(guestWords)
  const common = useWords(commonWords)
  const [choice, setChoice] = useState({ ticketId: options[0]?.id ?? null, areaId: null as number | null })
  const [deliver, setDeliver] = useState(false)
  const option = options.find(({ id }) => id === choice.ticketId) ?? null
  const seated = option?.inventory_kind === 'places' ? option : null
  const { seats, isPending: isPlanPending, pick, giveAll } = useSeatsByParty(slug, seated, parties)
  const isReady = ({ public_id: id, party_size: size }: MovedParty) => !seated || seats.get(id)?.length === size
  const ready = parties.filter(isReady)
  const addressed = ready.filter(({ delivery_email }) => delivery_email !== null)
  const fieldFaults = faultsByField(error)
  const isGeneral = Boolean(error) && Object.keys(fieldFaults).every((field) => !SHOWN_FAULTS.has(field))

  return (
    <Modal
      opened
      onClose={onClose}
      size={seated ? 'lg' : 'md'}
      title={words.bulk.moveTitle(parties.length)}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isPending || ready.length === 0) return
          onMove({
            publicIds: ready.map(({ public_id }) => public_id),
            ticketId: choice.ticketId,
            areaId: choice.areaId,
            seats: seated && seats,
            deliver: deliver && addressed.length > 0,
          })
        }}
      >
        <Stack gap="sm">
          <Text>{words.bulk.moveMore}</Text>
          <TicketChoice options={options} {...choice} onChange={setChoice} faults={fieldFaults} />
          {seated && !isPlanPending && (
            <MoveSeats
              slug={slug}
              option={seated}
              parties={parties}
              seats={seats}
              onPick={pick}
              onGiveAll={giveAll}
              faults={faults}
            />
          )}
          {!seated && <Faults parties={parties} faults={faults} />}
          {ready.length < parties.length && !isPlanPending && (
            <Text role="status">{words.seats.someStay(parties.length - ready.length)}</Text>
          )}
          <Checkbox
            label={words.bulk.deliver}
            description={tellsWhom(words, ready, addressed)}
            checked={deliver && addressed.length > 0}
            disabled={addressed.length === 0}
            onChange={(event) => setDeliver(event.currentTarget.checked)}
          />
          {isGeneral && (
            <p className={classes.fault} role="alert">
              {refusalSentence(error)}
            </p>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={isPending} disabled={ready.length === 0}>
              {ready.length < parties.length ? words.bulk.moveSome(ready.length, parties.length) : words.bulk.moveNow}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const tellsWhom = (
  words: (typeof guestWords)['en'],
  parties: readonly MovedParty[],
  addressed: readonly MovedParty[],
): string => {
  if (addressed.length === 0) return words.bulk.tellsNobody
  if (parties.length === 1) return words.bulk.tellsOne(addressed[0]!.delivery_email!)
  return words.bulk.tellsSome(addressed.length, parties.length)
}

const Faults = ({ parties, faults }: { parties: readonly MovedParty[]; faults: ReadonlyMap<string, string> }) => {
  const refused = parties.filter(({ public_id }) => faults.has(public_id))
  if (refused.length === 0) return null
  return (
    <ul className={classes.movedParties} role="alert">
      {refused.map(({ public_id: id, customer_name: name }) => (
        <li key={id}>
          <strong dir="auto">{name}</strong> <span className={classes.fault}>{faults.get(id)}</span>
        </li>
      ))}
    </ul>
  )
}

export default MoveDialog
