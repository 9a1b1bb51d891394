import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { commonWords } from '../../ui/common-words.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { accessWords } from './access-words.ts'
import classes from './team.module.css'

interface SecretDialogProps {
  title: string
  secret: string
  onClose: () => void
}

/** Something that is shown once and never again. */
export const SecretDialog = ({ title, secret, onClose }: SecretDialogProps) => {
  const words = useWords(accessWords)
  const common = useWords(commonWords)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      showToast(words.copied)
    } catch {
      showErrorToast(words.notCopied)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Stack>
        <Text>{words.shownOnce}</Text>
        <code className={classes.secret}>{secret}</code>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus onClick={() => void copy()}>
            {words.copy}
          </Button>
          <Button onClick={onClose}>{words.done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
