import { Badge, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { isRefusal } from '../../api/client.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { lastBoardSearch } from './board-search.ts'
import { useLiveTasks } from './live.ts'
import { usePresence } from './presence.ts'
import { taskQuery } from './queries.ts'
import type { Task } from './rules.ts'
import { TaskActions } from './task-actions.tsx'
import { TaskForm } from './task-form.tsx'
import { TaskStream } from './task-stream.tsx'
import { taskPageWords } from './task-words.ts'
import classes from './task.module.css'
import { Viewers } from './viewers.tsx'
import { taskWords } from './words.ts'

const route = getRouteApi('/frame/tasks/$id')

/** One task: what it says, who does it until when, and everything that was said about it. */
export const TaskView = () => {
  const words = useWords(taskPageWords)
  const board = useWords(taskWords)
  const { id } = route.useParams()
  const query = useQuery(taskQuery(id))
  useLiveTasks(true)
  usePresence(query.data ? id : null)
  usePageTitle(query.data?.title ?? words.task, board.title)
  // What is gone is not shown on, whatever was known of it.
  const isGone = isRefusal(query.error, 'not_found')
  return (
    <>
      <BackLink to="/tasks" search={lastBoardSearch()}>
        {words.back}
      </BackLink>
      {query.isPending && <LoadingRows rows={3} height={96} />}
      {query.isError && (isGone || !query.data) && (
        <ErrorState level={1} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data && !isGone && <TaskHome key={id} task={query.data} />}
    </>
  )
}

const TaskHome = ({ task }: { task: Task }) => {
  const words = useWords(taskPageWords)
  const { date } = useFormat()
  const { account } = useSession()
  const moment = (iso: string) => date(iso, account.time_zone, 'moment')
  return (
    <>
      <header className={classes.head}>
        <Group gap="sm" align="baseline">
          <Title order={1} size="h2" dir="auto">
            {task.title}
          </Title>
          {task.archived_at !== null && (
            <Badge color="gray" variant="light" tt="none" radius="sm">
              {words.archivedTag}
            </Badge>
          )}
          <Viewers taskId={task.id} />
        </Group>
        <p className={classes.quiet}>
          {words.created(moment(task.created_at))}, {words.changed(moment(task.updated_at))}
        </p>
        <TaskActions task={task} />
      </header>
      <div className={classes.columns}>
        <TaskForm task={task} />
        <TaskStream task={task} zone={account.time_zone} />
      </div>
    </>
  )
}
