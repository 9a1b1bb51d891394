import { NativeSelect } from '@mantine/core'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import type { TicketOption } from './rules.ts'
import { guestWords } from './words.ts'

interface TicketChoiceProps {
  options: readonly TicketOption[]
  ticketId: number | null
  areaId: number | null
  onChange: (choice: { ticketId: number | null; areaId: number | null }) => void
  /** The first entry, where none is to be possible. */
  none?: string
  label?: string
  faults?: Record<string, string>
}

const NO_FAULTS: Record<string, string> = {}

/** A ticket by name with what is left of it, and an area where it has some. */
export const TicketChoice = ({
  options,
  ticketId,
  areaId,
  onChange,
  none,
  label,
  faults = NO_FAULTS,
}: TicketChoiceProps) => {
  const words = useWords(guestWords)
  const { number } = useFormat()
  const left = (stock: number | null) => (stock === null ? words.quick.noLimit : words.quick.left(number(stock)))
  const areas = options.find(({ id }) => id === ticketId)?.standing_areas ?? []
  return (
    <>
      <NativeSelect
        label={label ?? words.quick.ticket}
        value={ticketId === null ? '' : String(ticketId)}
        error={faults['ticket_id']}
        onChange={({ currentTarget: { value } }) => {
          const id = value === '' ? null : Number(value)
          const own = options.find((option) => option.id === id)?.standing_areas ?? []
          onChange({ ticketId: id, areaId: own.length === 1 ? own[0]!.id : null })
        }}
        data={[
          ...(none === undefined ? [] : [{ value: '', label: none }]),
          ...options.map(({ id, title, available_stock }) => ({
            value: String(id),
            label: `${title} (${left(available_stock)})`,
          })),
        ]}
      />
      {areas.length > 0 && (
        <NativeSelect
          label={words.quick.area}
          value={areaId === null ? '' : String(areaId)}
          error={faults['event_capacity_pool_id']}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ticketId, areaId: value === '' ? null : Number(value) })
          }
          data={[
            { value: '', label: words.quick.pickArea },
            ...areas.map(({ id, name, available_stock }) => ({
              value: String(id),
              label: `${name} (${left(available_stock)})`,
            })),
          ]}
        />
      )}
    </>
  )
}
