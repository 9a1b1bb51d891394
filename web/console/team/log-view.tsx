import { Button, Select, TextInput, Title } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { csvOf } from '../../ui/csv.ts'
import { downloadFile } from '../../ui/download-file.ts'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useTypedText } from '../../ui/typed-text.ts'
import { useWords } from '../../ui/words.ts'
import { fromZoned } from '../../ui/zoned-time.ts'
import type { AuditSearch } from './audit-search.ts'
import { logWords } from './log-words.ts'
import { readAuditLog, teamQuery } from './queries.ts'
import { AUDIT_CSV_HEAD, type AuditEntry, type AuditFilter, auditFilterOf, auditRowOf, subjectPairs } from './rules.ts'
import classes from './team.module.css'
import { teamWords } from './words.ts'

const route = getRouteApi('/frame/team/log')

/** Who did what; for owners. */
export const LogView = () => {
  const words = useWords(logWords)
  const { account } = useSession()
  const search = route.useSearch()
  usePageTitle(words.log, useWords(teamWords).team)
  const filter = useMemo(
    () => auditFilterOf(search, (day) => fromZoned(`${day}T00:00`, account.time_zone)!),
    [search, account.time_zone],
  )
  const log = useInfiniteQuery({
    queryKey: ['audit log', filter],
    queryFn: ({ pageParam, signal }) => readAuditLog(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_page,
  })
  const entries = log.data?.pages.flatMap((page) => page.entries)
  return (
    <section className={classes.section} aria-label={words.log}>
      <div className={classes.sectionHead}>
        <Title order={2} size="lg">
          {words.log}
        </Title>
        <ExportButton filter={filter} isEmpty={entries?.length === 0} />
      </div>
      <p className={classes.quiet}>{words.more}</p>
      <Filters />
      {log.isPending && <LoadingRows />}
      {log.isError && !log.data && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
      {entries?.length === 0 && <EmptyState title={words.none}>{words.noneMore}</EmptyState>}
      {entries && entries.length > 0 && (
        <ul className={classes.rows}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {log.hasNextPage && (
        <div>
          <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {words.older}
          </Button>
        </div>
      )}
    </section>
  )
}

const Filters = () => {
  const words = useWords(logWords)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const team = useQuery(teamQuery)
  const set = (change: Partial<Record<keyof AuditSearch, string | undefined>>) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value)) as AuditSearch,
      replace: true,
    })
  const [action, setAction] = useTypedText(search.action ?? '', (typed) => set({ action: typed }))
  const members = [...(team.data?.active ?? []), ...(team.data?.deactivated ?? [])]
  return (
    <div className={classes.filters} role="search" aria-label={words.filters}>
      <Select
        label={words.person}
        value={search.actor ?? ''}
        onChange={(value) => set({ actor: value ?? '' })}
        data={[
          { value: '', label: words.everybody },
          ...members.map(({ id, user }) => ({ value: String(id), label: user.name })),
        ]}
        allowDeselect={false}
        searchable
      />
      <TextInput
        label={words.action}
        placeholder={words.actionHint}
        value={action}
        onChange={(event) => setAction(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={words.from}
        value={search.from ?? ''}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={words.to}
        value={search.to ?? ''}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
      {Object.keys(search).length > 0 && (
        <Button
          variant="default"
          onClick={() => {
            setAction('')
            void navigate({ search: {}, replace: true })
          }}
        >
          {words.clear}
        </Button>
      )}
    </div>
  )
}

const Entry = ({ entry }: { entry: AuditEntry }) => {
  const words = useWords(logWords)
  const { date } = useFormat()
  const { account } = useSession()
  const [verb] = entry.action.split(' ')
  const verbs: Record<string, string> = words.verbs
  const pairs = subjectPairs(entry)
  return (
    <li className={classes.entry}>
      <time dateTime={entry.created_at}>{date(entry.created_at, account.time_zone, 'moment')}</time>
      <div className={classes.entryWhat}>
        <span dir="auto">
          <strong>{entry.actor?.name ?? words.venue}</strong>
          {entry.credential && <span className={classes.quiet}> {words.with(entry.credential.description)}</span>}
        </span>
        <span>
          {verbs[verb!] ?? words.verbs.other}: <span className={classes.action}>{entry.action}</span>
        </span>
        {pairs.length > 0 && (
          <dl className={classes.subject}>
            {pairs.map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd title={value} dir="auto">
                  {value}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

/** More does not belong into a browser; days narrow it down. */
const EXPORT_MAX = 20_000

const ExportButton = ({ filter, isEmpty }: { filter: AuditFilter; isEmpty: boolean }) => {
  const words = useWords(logWords)
  const { number } = useFormat()
  const [count, setCount] = useState(0)
  const saving = useMutation({
    mutationFn: async () => {
      const rows: string[][] = []
      let page: string | null = null
      do {
        const read: Awaited<ReturnType<typeof readAuditLog>> = await readAuditLog(filter, page)
        rows.push(...read.entries.map(auditRowOf))
        page = read.pagination.next_page
        setCount(rows.length)
      } while (page !== null && rows.length < EXPORT_MAX)
      downloadFile('foyer-log.csv', 'text/csv', csvOf([AUDIT_CSV_HEAD, ...rows]))
      return { count: rows.length, isCut: page !== null }
    },
    onSuccess: ({ count: saved, isCut }) =>
      showToast(isCut ? words.exportCut(number(saved)) : words.exported(number(saved))),
    onError: (error) => showErrorToast(refusalSentence(error)),
  })
  return (
    <Button
      variant="default"
      disabled={isEmpty || saving.isPending}
      onClick={() => {
        setCount(0)
        saving.mutate()
      }}
    >
      {saving.isPending ? words.exporting(number(count)) : words.export}
    </Button>
  )
}
