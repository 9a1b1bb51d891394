import { Badge, Button, Group, Modal, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCloseUnlessSending } from '../../ui/close-unless-sending.ts'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { accessWords } from './access-words.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { createToken, revokeToken, tokensQuery } from './queries.ts'
import type { ApiToken } from './rules.ts'
import { SecretDialog } from './secret-dialog.tsx'
import classes from './team.module.css'
import { teamWords } from './words.ts'

interface TokensProps {
  title: string
  /** Which of those that may be seen. */
  isShown: (token: ApiToken) => boolean
}

/** Tokens with their last use, how to make one and how to end one. */
export const Tokens = ({ title, isShown }: TokensProps) => {
  const words = useWords(accessWords)
  const team = useWords(teamWords)
  const query = useQuery(tokensQuery)
  const [isMaking, setIsMaking] = useState(false)
  const [revoking, setRevoking] = useState<ApiToken | null>(null)
  useShortcuts([{ keys: 'n', label: team.keys.token, run: () => setIsMaking(true) }])
  const shown = query.data?.filter(isShown)
  const makeButton = (
    <Button variant={shown?.length === 0 ? 'filled' : 'default'} onClick={() => setIsMaking(true)}>
      {words.newToken}
    </Button>
  )
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.sectionHead}>
        <Title order={2} size="lg">
          {title}
        </Title>
        {shown && shown.length > 0 && makeButton}
      </div>
      <p className={classes.quiet}>{words.tokensMore}</p>
      {query.isPending && <LoadingRows rows={3} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {shown?.length === 0 && (
        <EmptyState title={words.noTokens} action={makeButton}>
          {words.noTokensMore}
        </EmptyState>
      )}
      {shown && shown.length > 0 && (
        <ul className={classes.rows}>
          {shown.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </ul>
      )}
      {isMaking && <NewTokenDialog onClose={() => setIsMaking(false)} />}
      {revoking && <RevokeTokenDialog token={revoking} onClose={() => setRevoking(null)} />}
    </section>
  )
}

const TokenRow = ({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) => {
  const words = useWords(accessWords)
  const { date } = useFormat()
  const { account } = useSession()
  const { description, last_used_at: lastUsedAt, person } = token
  return (
    <li className={classes.row}>
      <div className={classes.rowMain}>
        <span className={classes.rowName} dir="auto">
          {description}
        </span>
        <span className={classes.rowFacts}>
          <span dir="auto">{person === null ? words.ofVenue : words.of(person.name)}</span>
          <span>{words.permissions[token.permission]}</span>
          <span>
            {lastUsedAt === null ? words.neverUsed : words.lastUsed(date(lastUsedAt, account.time_zone, 'moment'))}
          </span>
        </span>
      </div>
      {token.revoked_at !== null && (
        <Badge variant="light" color="gray" tt="none" radius="sm">
          {words.revokedBadge}
        </Badge>
      )}
      {token.revoked_at === null && (
        <div className={classes.rowTools}>
          <Button
            size="compact-md"
            variant="subtle"
            color="bad"
            aria-label={words.revokeOf(description)}
            onClick={onRevoke}
          >
            {words.revoke}
          </Button>
        </div>
      )}
    </li>
  )
}

const RevokeTokenDialog = ({ token, onClose }: { token: ApiToken; onClose: () => void }) => {
  const words = useWords(accessWords)
  const { date } = useFormat()
  const { account } = useSession()
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      title={words.revokeSure(token.description)}
      confirmLabel={words.revokeNow}
      act={async () => {
        await revokeToken(token.id)
        await queries.invalidateQueries({ queryKey: tokensQuery.queryKey })
      }}
      onDone={() => showToast(words.revoked(token.description))}
      onClose={onClose}
    >
      <Text>{words.revokeMore}</Text>
      {token.last_used_at !== null && (
        <Text c="var(--warn)">{words.revokeUsed(date(token.last_used_at, account.time_zone, 'moment'))}</Text>
      )}
    </ConfirmDialog>
  )
}

const MAKING = ['make an API token']

const NewTokenDialog = ({ onClose }: { onClose: () => void }) => {
  const words = useWords(accessWords)
  const common = useWords(commonWords)
  const { role } = useSession()
  const queries = useQueryClient()
  const [description, setDescription] = useState('')
  const [permission, setPermission] = useState<'read' | 'write'>('read')
  const [kind, setKind] = useState<'account' | 'personal'>('personal')
  const making = useMutation({
    mutationKey: MAKING,
    mutationFn: () => createToken({ description, permission, kind }),
    onSuccess: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  })
  const closeUnlessMaking = useCloseUnlessSending(MAKING, onClose)
  if (making.data) return <SecretDialog title={words.madeTitle} secret={making.data.token} onClose={onClose} />
  const faults = making.isError ? faultsByField(making.error) : {}
  return (
    <Modal opened onClose={closeUnlessMaking} title={words.newToken} closeButtonProps={{ 'aria-label': common.close }}>
      <form
        noValidate
        onSubmit={(submission) => {
          submission.preventDefault()
          making.mutate()
        }}
      >
        <Stack>
          <TextInput
            label={words.description}
            description={words.descriptionHint}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={faults['description']}
            autoComplete="off"
            data-autofocus
          />
          <SegmentedControl
            aria-label={words.permission}
            value={permission}
            onChange={(value) => setPermission(value === 'write' ? 'write' : 'read')}
            data={(['read', 'write'] as const).map((value) => ({ value, label: words.permissions[value] }))}
          />
          {role === 'owner' && (
            <SegmentedControl
              aria-label={words.kind}
              value={kind}
              onChange={(value) => setKind(value === 'account' ? 'account' : 'personal')}
              data={(['personal', 'account'] as const).map((value) => ({ value, label: words.kinds[value] }))}
            />
          )}
          {making.isError && (
            <Text c="var(--bad)" role="alert">
              {refusalSentence(making.error)}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={closeUnlessMaking} disabled={making.isPending}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={making.isPending}>
              {words.make}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
