import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useWords } from '../../ui/words.ts'

interface ConfirmDialogProps {
  title: string
  /** What will happen, in full. */
  children: ReactNode
  confirmLabel: string
  act: () => Promise<unknown>
  onDone: () => void
  onClose: () => void
}

/** Says what will happen before it does, and asks once. */
export const ConfirmDialog = ({ title, children, confirmLabel, act, onDone, onClose }: ConfirmDialogProps) => {
  const common = useWords(commonWords)
  const acting = useMutation({
    mutationFn: act,
    onSuccess: () => {
      onClose()
      onDone()
    },
  })
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': common.close }}>
      <Stack>
        {children}
        {acting.isError && (
          <Text c="var(--bad)" role="alert">
            {refusalSentence(acting.error)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus onClick={onClose}>
            {common.cancel}
          </Button>
          <Button color="bad" loading={acting.isPending} onClick={() => acting.mutate()}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
