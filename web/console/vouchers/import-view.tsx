import { Button, Group, Text, Textarea, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { downloadFile } from '../../ui/download-file.ts'
import { useDraft } from '../../ui/draft.ts'
import { useDroppedFile } from '../../ui/dropped-file.ts'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { ImportResult } from './import-result.tsx'
import { importWords } from './import-words.ts'
import { importQuery, importsQuery } from './queries.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const route = getRouteApi('/frame/vouchers/import')

/** Vouchers from another system: read first, then issued all at once or not at all. */
export const ImportView = () => {
  const own = useWords(importWords)
  const words = useWords(voucherWords)
  const { role } = useSession()
  const { id } = route.useSearch()
  const navigate = route.useNavigate()
  usePageTitle(own.title, words.title)
  return (
    <>
      <BackLink to="/vouchers">{words.back}</BackLink>
      <Title order={1} size="h2" mb="xs">
        {own.title}
      </Title>
      {id === undefined ? (
        <>
          {role === 'owner' ? (
            <SourceForm onRead={(read) => void navigate({ search: { id: read } })} />
          ) : (
            <EmptyState title={own.ownersOnly} />
          )}
          <EarlierImports />
        </>
      ) : (
        <OneImport id={id} onAgain={() => void navigate({ search: {} })} />
      )}
    </>
  )
}

const OneImport = ({ id, onAgain }: { id: string; onAgain: () => void }) => {
  const query = useQuery(importQuery(id))
  if (query.isPending) return <LoadingRows rows={4} />
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <ImportResult one={query.data} onAgain={onAgain} />
}

const EXAMPLE = [
  'code,amount,expires_at,note,product_id',
  'ABCD-EFGH-JK23-LM45,25.00,2030-12-31,From the old shop,',
  ',50.00,,Without a code: one is drawn,',
  '',
].join('\r\n')

const SourceForm = ({ onRead }: { onRead: (id: string) => void }) => {
  const own = useWords(importWords)
  const queries = useQueryClient()
  const [pasted, setPasted, dropPasted] = useDraft('voucher import')
  const chooser = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const reading = useMutation({
    mutationFn: (csv: string) => dataOrThrow(api.POST('/admin/voucher_imports', { body: { csv } })),
    onSuccess: async ({ id }) => {
      dropPasted()
      onRead(id)
      await queries.invalidateQueries({ queryKey: importsQuery.queryKey, exact: true })
    },
  })
  const readFile = async (file: File | undefined) => {
    if (file) reading.mutate(await file.text())
  }
  const isOver = useDroppedFile(form, (file) => void readFile(file))
  const faults = faultsByField(reading.error)
  return (
    <>
      <Text c="dimmed" maw="44rem">
        {own.intro}
      </Text>
      <form
        ref={form}
        className={classes.source}
        data-over={isOver || undefined}
        onSubmit={(event) => {
          event.preventDefault()
          if (!reading.isPending && pasted.trim() !== '') reading.mutate(pasted)
        }}
      >
        <Textarea
          label={own.paste}
          placeholder={'code,amount,expires_at,note,product_id\n,25.00,2030-12-31,,'}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
          minRows={6}
          maxRows={14}
          autosize
          error={faults['csv'] ?? (reading.error ? refusalSentence(reading.error) : null)}
        />
        <Group gap="sm">
          <Button type="submit" loading={reading.isPending} disabled={pasted.trim() === ''}>
            {own.read}
          </Button>
          <Button variant="default" onClick={() => chooser.current?.click()}>
            {own.file}
          </Button>
          <span className={classes.quiet}>{own.drop}</span>
          <Button
            variant="subtle"
            onClick={() => downloadFile('vouchers-example.csv', 'text/csv;charset=utf-8', EXAMPLE)}
          >
            {own.template}
          </Button>
          <input
            ref={chooser}
            type="file"
            hidden
            aria-label={own.file}
            accept=".csv,.txt,text/*"
            onChange={(event) => {
              void readFile(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
        </Group>
      </form>
    </>
  )
}

const EarlierImports = () => {
  const own = useWords(importWords)
  const { date, number } = useFormat()
  const { account } = useSession()
  const { data: imports = [] } = useQuery(importsQuery)
  if (imports.length === 0) return null
  return (
    <section className={classes.columns} aria-label={own.earlier}>
      <div>
        <Title order={2} size="lg">
          {own.earlier}
        </Title>
        <ul className={classes.list}>
          {imports.map(({ id, status, rows_count, created_at }) => (
            <li key={id}>
              <Link to="/vouchers/import" search={{ id }}>
                {own.rows(number(rows_count), rows_count === 1)}
              </Link>
              <span className={classes.quiet}>
                {own.statuses[status]} · {date(created_at, account.time_zone, 'momentAndYear')}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
