import { Button, SegmentedControl, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/now.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useTypedText } from '../../ui/typed-text.ts'
import { useWords } from '../../ui/words.ts'
import { ArchiveList } from './archive-list.tsx'
import { Board } from './board.tsx'
import { rememberBoardSearch } from './board-search.ts'
import { Filters } from './filters.tsx'
import { useLiveTasks } from './live.ts'
import { NewTask } from './new-task.tsx'
import { usePresence } from './presence.ts'
import { archiveQuery, boardQuery } from './queries.ts'
import { type Status, type Task, type TaskFilters, filterTasks } from './rules.ts'
import classes from './tasks.module.css'
import { Viewers } from './viewers.tsx'
import { taskWords } from './words.ts'

const route = getRouteApi('/frame/tasks')

/** What everybody who organizes has to do, on one board. */
export const BoardView = () => {
  const words = useWords(taskWords)
  const search = route.useSearch()
  const { view = 'board', add } = search
  const navigate = route.useNavigate()
  const board = useQuery(boardQuery)
  const archive = useQuery({ ...archiveQuery, enabled: view === 'archive' })
  useLiveTasks(board.data !== undefined, board.data?.lastEventId ?? null)
  usePresence(null)
  usePageTitle(view === 'archive' ? words.views.archive : undefined, words.title)
  useEffect(() => rememberBoardSearch(search), [search])
  const setAdding = useCallback(
    (status: Status | null) =>
      void navigate({
        search: ({ add: _before, ...rest }) => (status === null ? rest : { ...rest, add: status }),
        replace: true,
      }),
    [navigate],
  )

  const shownQuery = view === 'archive' ? archive : board
  return (
    <>
      <header className={classes.head}>
        <Title order={1} size="h2">
          {words.title}
        </Title>
        <div className={classes.headTools}>
          <Viewers taskId={null} />
          <SegmentedControl
            aria-label={words.view}
            value={view}
            onChange={(value) =>
              void navigate({
                search: ({ view: _before, ...rest }) => (value === 'archive' ? { ...rest, view: value } : rest),
              })
            }
            data={(['board', 'archive'] as const).map((value) => ({ value, label: words.views[value] }))}
          />
          {view === 'board' && (
            <Button leftSection={<PlusIcon size={16} />} onClick={() => setAdding('open')}>
              {words.add}
            </Button>
          )}
        </div>
      </header>
      {shownQuery.isPending && <LoadingRows rows={4} height={96} />}
      {shownQuery.isError && !shownQuery.data && (
        <ErrorState error={shownQuery.error} onRetry={() => void shownQuery.refetch()} />
      )}
      {shownQuery.data && (
        <FoundTasks tasks={shownQuery.data.tasks} view={view} adding={add ?? null} onAdding={setAdding} />
      )}
    </>
  )
}

interface FoundTasksProps {
  tasks: readonly Task[]
  view: 'board' | 'archive'
  adding: Status | null
  onAdding: (status: Status | null) => void
}

/** What is typed is seen at once; the tasks follow when the machine has time. */
const FoundTasks = ({ tasks, view, adding, onAdding }: FoundTasksProps) => {
  const words = useWords(taskWords)
  const common = useWords(commonWords)
  const { text: stored = '', assignee, event, due } = route.useSearch()
  const navigate = route.useNavigate()
  const { account, membership_id: me } = useSession()
  const { dayKey } = useFormat()
  const today = dayKey(useNow(), account.time_zone)
  const [text, setText] = useTypedText(
    stored,
    (typed) =>
      void navigate({
        search: ({ text: _before, ...rest }) => (typed ? { ...rest, text: typed } : rest),
        replace: true,
      }),
  )
  const wanted = useDeferredValue(text)
  const found = useMemo(
    () => filterTasks(tasks, { text: wanted, assignee, event, due }, { me, today }),
    [tasks, wanted, assignee, event, due, me, today],
  )
  const filters = useMemo(() => ({ assignee, event, due }), [assignee, event, due])
  const change = useCallback(
    (part: Omit<TaskFilters, 'text'>) => void navigate({ search: (before) => ({ ...before, ...part }) }),
    [navigate],
  )
  const showAll = () => {
    setText('')
    void navigate({ search: ({ view: kept }) => (kept ? { view: kept } : {}) })
  }

  if (tasks.length === 0) return view === 'archive' ? <NoArchive /> : <NoTasks adding={adding} onAdding={onAdding} />
  return (
    <>
      <div className={classes.toolbar} role="search">
        <SearchField className={classes.searchField} label={words.search} text={text} onText={setText} />
        <Filters tasks={tasks} filters={filters} onChange={change} />
      </div>
      {found.length === 0 && (
        <EmptyState
          title={words.noneFound}
          action={
            <Button variant="default" onClick={showAll}>
              {common.showAll}
            </Button>
          }
        >
          {words.noneFoundMore}
        </EmptyState>
      )}
      {found.length > 0 && view === 'archive' && <ArchiveList tasks={found} zone={account.time_zone} />}
      {view === 'board' && (found.length > 0 || adding !== null) && (
        <Board
          tasks={tasks}
          shown={found}
          today={today}
          eventSlug={event === undefined || event === 'none' ? null : event}
          adding={adding}
          onAdding={onAdding}
        />
      )}
    </>
  )
}

/** The first step is done right here. */
const NoTasks = ({ adding, onAdding }: Pick<FoundTasksProps, 'adding' | 'onAdding'>) => {
  const words = useWords(taskWords)
  return (
    <div className={classes.empty}>
      <EmptyState
        title={words.none}
        action={
          adding === null ? (
            <Button leftSection={<PlusIcon size={16} />} onClick={() => onAdding('open')}>
              {words.add}
            </Button>
          ) : (
            <NewTask status={adding} eventSlug={null} onClose={() => onAdding(null)} />
          )
        }
      >
        {words.noneMore}
      </EmptyState>
    </div>
  )
}

const NoArchive = () => {
  const words = useWords(taskWords)
  const navigate = route.useNavigate()
  return (
    <EmptyState
      title={words.noneArchived}
      action={
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {words.toBoard}
        </Button>
      }
    >
      {words.noneArchivedMore}
    </EmptyState>
  )
}
