import { Badge, Button, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { RowLink } from '../../ui/row-link.tsx'
import { useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showErrorToast } from '../../ui/toasts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './inbox.module.css'
import { PushSwitch } from './push-switch.tsx'
import { inboxQuery } from './queries.ts'
import { type Notification, consolePathOf, readAssignment } from './rules.ts'
import { inboxWords } from './words.ts'

const keyOf = ({ id }: Notification) => id

/** What one was told, the newest first. */
export const InboxView = () => {
  const words = useWords(inboxWords)
  const { number } = useFormat()
  const query = useQuery(inboxQuery)
  const queries = useQueryClient()
  usePageTitle(words.title)
  const onError = (error: unknown) => showErrorToast(refusalSentence(error))
  const refresh = () => queries.invalidateQueries({ queryKey: inboxQuery.queryKey })

  const { mutate: readOne } = useMutation({
    mutationFn: (id: string) =>
      dataOrThrow(
        api.POST('/admin/notifications/{notification_id}/reading', { params: { path: { notification_id: id } } }),
      ),
    onSettled: refresh,
    onError,
  })
  const readAll = useMutation({
    mutationFn: () => dataOrThrow(api.POST('/admin/notifications/reading')),
    onSuccess: refresh,
    onError,
  })
  useShortcuts([{ keys: 'e', label: words.keys.allRead, run: () => readAll.mutate() }])
  const renderRow = useCallback(
    (notification: Notification) => <NotificationRow notification={notification} onRead={readOne} />,
    [readOne],
  )

  const unread = query.data?.unread_count ?? 0
  return (
    <>
      <header className={classes.head}>
        <Title order={1} size="h2">
          {words.title}
        </Title>
        {unread > 0 && (
          <div className={classes.headTools}>
            <span className={classes.quiet}>{words.unread(number(unread))}</span>
            <Button size="compact-md" variant="default" loading={readAll.isPending} onClick={() => readAll.mutate()}>
              {words.allRead}
            </Button>
          </div>
        )}
      </header>
      {query.isPending && <LoadingRows />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.notifications.length === 0 && (
        <EmptyState
          title={words.none}
          action={
            <Button variant="default" renderRoot={(props) => <Link to="/tasks" {...props} />}>
              {words.toTasks}
            </Button>
          }
        >
          {words.noneMore}
        </EmptyState>
      )}
      {query.data && query.data.notifications.length > 0 && (
        <VirtualList
          items={query.data.notifications}
          keyOf={keyOf}
          label={words.list}
          estimate={65}
          renderRow={renderRow}
        />
      )}
      <PushSwitch />
    </>
  )
}

const NotificationRow = ({ notification, onRead }: { notification: Notification; onRead: (id: string) => void }) => {
  const words = useWords(inboxWords)
  const { date } = useFormat()
  const { account } = useSession()
  const given = readAssignment(notification)
  const title = given ? words.gaveYou(given.who, given.title) : notification.title
  const isUnread = notification.read_at === null
  return (
    // Whoever opens it has read it; the link itself hears of the click, also of one by keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      className={classes.row}
      data-unread={isUnread || undefined}
      onClick={(event) => {
        if (isUnread && (event.target as HTMLElement).closest('a')) onRead(notification.id)
      }}
    >
      <RowLink path={consolePathOf(notification.url)} className={classes.link}>
        <span className={classes.title}>{title}</span>
        <span className={classes.quiet}>
          {words.kinds[notification.kind]} · {date(notification.created_at, account.time_zone, 'moment')}
        </span>
      </RowLink>
      {isUnread && (
        <>
          <Badge color="accent" variant="light" tt="none" radius="sm">
            {words.isNew}
          </Badge>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={words.markReadOne(title)}
            onClick={() => onRead(notification.id)}
          >
            {words.markRead}
          </Button>
        </>
      )}
    </div>
  )
}
