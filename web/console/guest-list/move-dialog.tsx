import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useWords } from '../../ui/words.ts'
import type { TicketOption } from './rules.ts'
import { TicketChoice } from './ticket-choice.tsx'
import { guestWords } from './words.ts'

interface MoveDialogProps {
  count: number
  options: readonly TicketOption[]
  isPending: boolean
  onMove: (change: { ticket_id?: number; event_capacity_pool_id?: number; deliver: boolean }) => void
  onClose: () => void
}

const MoveDialog = ({ count, options, isPending, onMove, onClose }: MoveDialogProps) => {
  const words = useWords(guestWords)
  const common = useWords(commonWords)
  const [choice, setChoice] = useState({ ticketId: options[0]?.id ?? null, areaId: null as number | null })
  const [deliver, setDeliver] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.bulk.moveTitle(count)}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack gap="sm">
        <Text>{words.bulk.moveMore}</Text>
        <TicketChoice options={options} {...choice} onChange={setChoice} />
        <Checkbox
          label={words.bulk.deliver}
          checked={deliver}
          onChange={(event) => setDeliver(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button
            loading={isPending}
            onClick={() =>
              onMove({
                ...(choice.ticketId !== null && { ticket_id: choice.ticketId }),
                ...(choice.areaId !== null && { event_capacity_pool_id: choice.areaId }),
                deliver,
              })
            }
          >
            {words.bulk.moveNow}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

export default MoveDialog
