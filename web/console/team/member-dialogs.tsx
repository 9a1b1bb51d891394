import { Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useDraft } from '../../ui/draft.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { AssignmentFields, sentAssignment } from './assignment-fields.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type Assignment, changeRole, deactivateMember, invite, teamQuery } from './queries.ts'
import type { Membership } from './rules.ts'
import { teamWords } from './words.ts'

interface FormDialogProps {
  title: string
  saveLabel: string
  error: unknown
  isSaving: boolean
  onSave: () => void
  onClose: () => void
  children: ReactNode
}

const FormDialog = ({ title, saveLabel, error, isSaving, onSave, onClose, children }: FormDialogProps) => {
  const common = useWords(commonWords)
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': common.close }}>
      <form
        noValidate
        onSubmit={(submission) => {
          submission.preventDefault()
          onSave()
        }}
      >
        <Stack>
          {children}
          {error !== null && (
            <Text c="var(--bad)" role="alert">
              {refusalSentence(error)}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={isSaving}>
              {saveLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

export const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const words = useWords(teamWords)
  const queries = useQueryClient()
  const [email, setEmail, dropEmail] = useDraft('invitation')
  const [assignment, setAssignment] = useState<Assignment>({ role: 'scanner' })
  const sending = useMutation({
    mutationFn: () => invite(email, sentAssignment(assignment)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: teamQuery.queryKey })
      showToast(words.invited(email))
      dropEmail()
      onClose()
    },
  })
  const faults = sending.isError ? faultsByField(sending.error) : {}
  return (
    <FormDialog
      title={words.inviteTitle}
      saveLabel={words.send}
      error={sending.error}
      isSaving={sending.isPending}
      onSave={() => sending.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={words.email}
        type="email"
        autoComplete="off"
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={faults['email']}
      />
      <AssignmentFields assignment={assignment} onChange={setAssignment} faults={faults} />
    </FormDialog>
  )
}

export const RoleDialog = ({ member, onClose }: { member: Membership; onClose: () => void }) => {
  const words = useWords(teamWords)
  const queries = useQueryClient()
  const { name } = member.user
  const before = member.role === 'owner' ? 'manager' : member.role
  const [assignment, setAssignment] = useState<Assignment>({ role: before, event_ids: member.event_ids ?? [] })
  const changing = useMutation({
    mutationFn: () => changeRole(member.id, sentAssignment(assignment)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: teamQuery.queryKey })
      showToast(words.changed(name))
      onClose()
    },
  })
  return (
    <FormDialog
      title={words.changeOf(name)}
      saveLabel={words.save}
      error={changing.error}
      isSaving={changing.isPending}
      onSave={() => changing.mutate()}
      onClose={onClose}
    >
      <AssignmentFields
        assignment={assignment}
        onChange={setAssignment}
        faults={changing.isError ? faultsByField(changing.error) : {}}
      />
      {assignment.role !== member.role && <Text c="var(--warn)">{words.changeEnds(name)}</Text>}
    </FormDialog>
  )
}

export const DeactivateDialog = ({ member, onClose }: { member: Membership; onClose: () => void }) => {
  const words = useWords(teamWords)
  const queries = useQueryClient()
  const { name } = member.user
  return (
    <ConfirmDialog
      title={words.deactivateOf(name)}
      confirmLabel={words.deactivateNow}
      act={async () => {
        await deactivateMember(member.id)
        await queries.invalidateQueries({ queryKey: teamQuery.queryKey })
      }}
      onDone={() => showToast(words.deactivated(name))}
      onClose={onClose}
    >
      <Text>{words.deactivateMore}</Text>
      <List withPadding>
        {(['sessions', 'tokens', 'invitations'] as const).map((what) => (
          <List.Item key={what}>{words.deactivateEnds[what]}</List.Item>
        ))}
      </List>
      <Text>{words.deactivateStays}</Text>
    </ConfirmDialog>
  )
}
