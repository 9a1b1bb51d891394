import { Button, Group, Modal, NativeSelect, SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useWords } from '../../ui/words.ts'
import { type Columns, type Place, type Status, STATUSES, type Task } from './rules.ts'
import { taskWords } from './words.ts'

interface MoveDialogProps {
  task: Task
  columns: Columns
  onMove: (place: Place) => void
  onClose: () => void
}

const FIRST = 'first'
const LAST = 'last'

/** Everything that can be dragged, by two choices: to any place of any column. */
const MoveDialog = ({ task, columns, onMove, onClose }: MoveDialogProps) => {
  const words = useWords(taskWords)
  const common = useWords(commonWords)
  const [status, setStatus] = useState<Status>(task.status)
  const [place, setPlace] = useState(LAST)
  const others = columns[status].filter(({ id }) => id !== task.id)
  const beforeId = () => {
    if (place === LAST) return null
    if (place === FIRST) return others[0]?.id ?? null
    return others[others.findIndex(({ id }) => id === place) + 1]?.id ?? null
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={<span dir="auto">{words.moveTitle(task.title)}</span>}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onMove({ status, beforeId: beforeId() })
        }}
      >
        <Stack gap="md">
          <SegmentedControl
            fullWidth
            data-autofocus
            aria-label={words.column}
            value={status}
            onChange={(value) => {
              setStatus(value)
              setPlace(LAST)
            }}
            data={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
          />
          <NativeSelect
            label={words.place}
            value={place}
            onChange={(event) => setPlace(event.currentTarget.value)}
            data={[
              { value: FIRST, label: words.first },
              ...others.slice(0, -1).map(({ id, title }) => ({ value: id, label: words.after(title) })),
              { value: LAST, label: words.last },
            ]}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit">{words.moveNow}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

export default MoveDialog
