import { Badge, Button, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { useFormat } from '../../ui/format.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { eventsQuery, reactivateMember, resendInvitation, revokeInvitation, teamQuery } from './queries.ts'
import { ALL_ROLES, type Invitation, type Membership, isChangeable } from './rules.ts'
import classes from './team.module.css'
import { teamWords } from './words.ts'

const InviteDialog = lazy(async () => ({ default: (await import('./member-dialogs.tsx')).InviteDialog }))
const RoleDialog = lazy(async () => ({ default: (await import('./member-dialogs.tsx')).RoleDialog }))
const DeactivateDialog = lazy(async () => ({ default: (await import('./member-dialogs.tsx')).DeactivateDialog }))

type OpenDialog =
  | { kind: 'invite' }
  | { kind: 'role' | 'deactivate'; member: Membership }
  | { kind: 'withdraw'; invitation: Invitation }

/** Who belongs to the venue, and what each of them sees. */
export const MembersView = () => {
  const words = useWords(teamWords)
  const query = useQuery(teamQuery)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  usePageTitle(words.tabs.people, words.team)
  useShortcuts([{ keys: 'n', label: words.keys.invite, run: () => setDialog({ kind: 'invite' }) }])
  if (query.isPending) return <LoadingRows />
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { active, deactivated, pending_invitations: invitations } = query.data
  return (
    <>
      <section className={classes.section} aria-label={words.members}>
        <div className={classes.sectionHead}>
          <Title order={2} size="lg">
            {words.people(active.length)}
          </Title>
          <Button onClick={() => setDialog({ kind: 'invite' })}>{words.invite}</Button>
        </div>
        <ul className={classes.rows}>
          {active.map((member) => (
            <MemberRow key={member.id} member={member} onOpen={(kind) => setDialog({ kind, member })} />
          ))}
        </ul>
      </section>
      {invitations.length > 0 && (
        <section className={classes.section} aria-label={words.pending}>
          <Title order={2} size="lg">
            {words.pending}
          </Title>
          <ul className={classes.rows}>
            {invitations.map((invitation) => (
              <InvitationRow
                key={invitation.id}
                invitation={invitation}
                onWithdraw={() => setDialog({ kind: 'withdraw', invitation })}
              />
            ))}
          </ul>
        </section>
      )}
      {deactivated.length > 0 && (
        <section className={classes.section} aria-label={words.deactivatedTitle}>
          <Title order={2} size="lg">
            {words.deactivatedTitle}
          </Title>
          <ul className={classes.rows}>
            {deactivated.map((member) => (
              <FormerRow key={member.id} member={member} />
            ))}
          </ul>
        </section>
      )}
      <RoleTable />
      <Suspense>
        <Dialogs dialog={dialog} onClose={() => setDialog(null)} />
      </Suspense>
    </>
  )
}

const Dialogs = ({ dialog, onClose }: { dialog: OpenDialog | null; onClose: () => void }) => {
  if (dialog === null) return null
  if (dialog.kind === 'invite') return <InviteDialog onClose={onClose} />
  if (dialog.kind === 'withdraw') return <WithdrawDialog invitation={dialog.invitation} onClose={onClose} />
  const Dialog = dialog.kind === 'role' ? RoleDialog : DeactivateDialog
  return <Dialog member={dialog.member} onClose={onClose} />
}

const TITLES_MAX = 3

/** The events of a co-organizer by name, as far as that can be read at a glance. */
const Assigned = ({ eventIds }: { eventIds: readonly number[] }) => {
  const words = useWords(teamWords)
  const events = useQuery(eventsQuery)
  if (eventIds.length === 0) return <span className={classes.urgent}>{words.noEventsOf}</span>
  const titles = new Map(events.data?.events.map(({ id, title }) => [id, title]))
  const named = eventIds.flatMap((id) => titles.get(id) ?? [])
  const shown = named.slice(0, TITLES_MAX)
  const left = eventIds.length - shown.length
  return <span dir="auto">{words.eventsOf([...shown, ...(left > 0 ? [words.moreEvents(left)] : [])].join(', '))}</span>
}

interface MemberRowProps {
  member: Membership
  onOpen: (kind: 'role' | 'deactivate') => void
}

const MemberRow = ({ member, onOpen }: MemberRowProps) => {
  const words = useWords(teamWords)
  const session = useSession()
  const { user, role } = member
  return (
    <li className={classes.row}>
      <div className={classes.rowMain}>
        <span className={classes.rowName} dir="auto">
          {user.name} {member.id === session.membership_id && <span className={classes.quiet}>({words.you})</span>}
        </span>
        <span className={classes.rowFacts}>
          <span>{user.email}</span>
          {role === 'co_organizer' && <Assigned eventIds={member.event_ids ?? []} />}
        </span>
      </div>
      <RoleBadge role={role} />
      {isChangeable(member, session) && (
        <div className={classes.rowTools} role="group" aria-label={words.actionsOf(user.name)}>
          <Button size="compact-md" variant="default" onClick={() => onOpen('role')}>
            {words.change}
          </Button>
          <Button size="compact-md" variant="subtle" color="bad" onClick={() => onOpen('deactivate')}>
            {words.deactivate}
          </Button>
        </div>
      )}
    </li>
  )
}

const RoleBadge = ({ role }: { role: Membership['role'] }) => {
  const words = useWords(teamWords)
  return (
    <Badge variant="light" color={role === 'owner' ? 'accent' : 'gray'} tt="none" radius="sm">
      {words.roles[role]}
    </Badge>
  )
}

const InvitationRow = ({ invitation, onWithdraw }: { invitation: Invitation; onWithdraw: () => void }) => {
  const words = useWords(teamWords)
  const { date } = useFormat()
  const { account } = useSession()
  const { id, email, role } = invitation
  const resending = useMutation({
    mutationFn: () => resendInvitation(id),
    onSuccess: () => showToast(words.resent(email)),
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  return (
    <li className={classes.row}>
      <div className={classes.rowMain}>
        <span className={classes.rowName}>{email}</span>
        <span className={classes.rowFacts}>
          <span>{words.invitedAt(date(invitation.created_at, account.time_zone, 'dayAndYear'))}</span>
          {role === 'co_organizer' && <Assigned eventIds={invitation.event_ids ?? []} />}
        </span>
      </div>
      <RoleBadge role={role} />
      <div className={classes.rowTools}>
        <Button
          size="compact-md"
          variant="default"
          aria-label={words.resendOf(email)}
          loading={resending.isPending}
          onClick={() => resending.mutate()}
        >
          {words.resend}
        </Button>
        <Button size="compact-md" variant="subtle" color="bad" onClick={onWithdraw}>
          {words.withdraw}
        </Button>
      </div>
    </li>
  )
}

const WithdrawDialog = ({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) => {
  const words = useWords(teamWords)
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      title={words.withdrawOf(invitation.email)}
      confirmLabel={words.withdrawNow}
      act={async () => {
        await revokeInvitation(invitation.id)
        await queries.invalidateQueries({ queryKey: teamQuery.queryKey })
      }}
      onDone={() => showToast(words.withdrawn(invitation.email))}
      onClose={onClose}
    >
      <Text>{words.withdrawMore}</Text>
    </ConfirmDialog>
  )
}

const FormerRow = ({ member }: { member: Membership }) => {
  const words = useWords(teamWords)
  const queries = useQueryClient()
  const session = useSession()
  const { user, role } = member
  const reactivation = useMutation({
    mutationFn: () => reactivateMember(member.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: teamQuery.queryKey })
      showToast(words.reactivated(user.name))
    },
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  return (
    <li className={classes.row}>
      <div className={classes.rowMain}>
        <span className={classes.rowName} dir="auto">
          {user.name}
        </span>
        <span className={classes.rowFacts}>{user.email}</span>
      </div>
      <RoleBadge role={role} />
      {isChangeable(member, session) && (
        <div className={classes.rowTools}>
          <Button
            size="compact-md"
            variant="default"
            aria-label={words.reactivateOf(user.name)}
            loading={reactivation.isPending}
            onClick={() => reactivation.mutate()}
          >
            {words.reactivate}
          </Button>
        </div>
      )}
    </li>
  )
}

const RoleTable = () => {
  const words = useWords(teamWords)
  return (
    <section className={classes.section} aria-label={words.whoSeesWhat}>
      <Title order={2} size="lg">
        {words.whoSeesWhat}
      </Title>
      <dl className={classes.roles}>
        {ALL_ROLES.map((role) => (
          <div key={role}>
            <dt>{words.roles[role]}</dt>
            <dd>{words.roleSentences[role]}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
