import { Anchor, Badge, Button, Group, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { accessWords } from './access-words.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { endSession, sessionsQuery } from './queries.ts'
import type { ApiToken, BrowserSession } from './rules.ts'
import classes from './team.module.css'
import { Tokens } from './tokens.tsx'
import { teamWords } from './words.ts'

/** What is a person's own: how they sign in, where they are signed in, and their tokens. */
export const OwnAccountView = () => {
  const words = useWords(accessWords)
  const team = useWords(teamWords)
  const { person, role, account, membership_id: membershipId } = useSession()
  usePageTitle(words.ownAccount)
  const isOwn = useCallback((token: ApiToken) => token.person?.id === membershipId, [membershipId])
  return (
    <>
      <Title order={1} size="h2">
        {words.ownAccount}
      </Title>
      <div className={classes.section}>
        <p className={classes.quiet} dir="auto">
          {person.name}, {person.email}
          <br />
          {words.at(account.name, team.roles[role])}
        </p>
      </div>
      <section className={classes.section} aria-label={words.passkeys}>
        <Title order={2} size="lg">
          {words.passkeys}
        </Title>
        <p className={classes.quiet}>{words.passkeysMore}</p>
        <Group gap="md">
          <Anchor href="/account#passkeys">{words.toPasskeys}</Anchor>
          <Anchor href="/password">{words.toPassword}</Anchor>
          <span className={classes.quiet}>{words.passwordMore}</span>
        </Group>
      </section>
      <Sessions />
      <Tokens title={words.yourTokens} isShown={isOwn} />
      <Group gap="md">
        <Link to="/team/tokens">{words.toTokens}</Link>
        <Link to="/team/webhooks">{words.toWebhooks}</Link>
      </Group>
    </>
  )
}

/** One's own; an owner sees those of others too. */
const Sessions = () => {
  const words = useWords(accessWords)
  const { membership_id: membershipId } = useSession()
  const query = useQuery(sessionsQuery)
  const [ending, setEnding] = useState<BrowserSession | null>(null)
  const isOwn = ({ person }: BrowserSession) => person.id === membershipId
  const parts = [
    { title: words.sessions, sessions: query.data?.filter(isOwn) ?? [] },
    { title: words.sessionsOfOthers, sessions: query.data?.filter((each) => !isOwn(each)) ?? [] },
  ]
  if (query.isPending) return <LoadingRows rows={2} />
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <>
      {parts.map(
        ({ title, sessions }) =>
          sessions.length > 0 && (
            <section key={title} className={classes.section} aria-label={title}>
              <Title order={2} size="lg">
                {title}
              </Title>
              <ul className={classes.rows}>
                {sessions.map((session) => (
                  <SessionRow
                    key={session.id}
                    session={session}
                    isOwn={isOwn(session)}
                    onEnd={() => setEnding(session)}
                  />
                ))}
              </ul>
            </section>
          ),
      )}
      {ending && <EndDialog session={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

interface SessionRowProps {
  session: BrowserSession
  isOwn: boolean
  onEnd: () => void
}

const SessionRow = ({ session, isOwn, onEnd }: SessionRowProps) => {
  const words = useWords(accessWords)
  const { date } = useFormat()
  const { account } = useSession()
  const at = (iso: string) => date(iso, account.time_zone, 'moment')
  return (
    <li className={classes.row}>
      <div className={classes.rowMain}>
        <span className={classes.rowName} dir="auto">
          {isOwn ? session.browser : `${session.person.name}, ${session.browser}`}
        </span>
        <span className={classes.rowFacts}>
          <span>{words.since(at(session.created_at))}</span>
          {session.last_used_at !== null && <span>{words.lastUsed(at(session.last_used_at))}</span>}
        </span>
      </div>
      {session.current ? (
        <Badge variant="light" color="good" tt="none" radius="sm">
          {words.thisBrowser}
        </Badge>
      ) : (
        <div className={classes.rowTools}>
          <Button size="compact-md" variant="default" aria-label={words.endOf(session.browser)} onClick={onEnd}>
            {words.end}
          </Button>
        </div>
      )}
    </li>
  )
}

const EndDialog = ({ session, onClose }: { session: BrowserSession; onClose: () => void }) => {
  const words = useWords(accessWords)
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      title={words.endSure(session.browser)}
      confirmLabel={words.endNow}
      act={async () => {
        await endSession(session.id)
        await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      }}
      onDone={() => showToast(words.ended)}
      onClose={onClose}
    >
      <Text>{words.endMore}</Text>
    </ConfirmDialog>
  )
}
