import { Button, Group, Modal, Text } from '@mantine/core'
import { commonWords } from '../../ui/common-words.ts'
import { useWords } from '../../ui/words.ts'
import { guestWords } from './words.ts'

interface CancelDialogProps {
  title: string
  people: number
  isPending: boolean
  onCancel: () => void
  onClose: () => void
}

/** Says what will happen before it does: a cancellation cannot be taken back. */
const CancelDialog = ({ title, people, isPending, onCancel, onClose }: CancelDialogProps) => {
  const words = useWords(guestWords)
  const common = useWords(commonWords)
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': common.close }}>
      <Text mb="lg">{words.bulk.cancelMore(people)}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.bulk.keep}
        </Button>
        <Button color="bad" loading={isPending} onClick={onCancel}>
          {words.bulk.cancelNow(people)}
        </Button>
      </Group>
    </Modal>
  )
}

export default CancelDialog
