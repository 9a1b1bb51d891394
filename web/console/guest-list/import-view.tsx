import { Button, Group, Text, Textarea, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { api } from '../../api/api.ts'
import { type Schemas, dataOrThrow } from '../../api/client.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { useDraft } from '../../ui/draft.ts'
import { useDroppedFile } from '../../ui/dropped-file.ts'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { importWords } from './import-words.ts'
import { ImportInterpretation, type ImportReadingOptions } from './import-reading.tsx'
import { ImportStatusPanel } from './import-result.tsx'
import { eventQuery, ticketOptionsQuery, importQuery, importsQuery } from './queries.ts'
import { TicketChoice } from './ticket-choice.tsx'
import { guestWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/guests/import')

/** A list as it came: text, or a file whose bytes the server reads. */
type Source = { csv: string } | { file: string; name: string }

/** Guests from a spreadsheet, a mail or a file: read first, then added at once, and undone as one. */
export const ImportView = () => {
  const words = useWords(guestWords)
  const own = useWords(importWords)
  const { slug } = route.useParams()
  const { id } = route.useSearch()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const event = useQuery(eventQuery(slug))
  const [source, setSource] = useState<Source | null>(null)
  const [usual, setUsual] = useState({ ticketId: null as number | null, areaId: null as number | null })
  const [pasted, setPasted, dropPasted] = useDraft(`import of ${slug}`)
  usePageTitle(words.importTitle, words.title, event.data?.title)

  const reading = useMutation({
    mutationFn: ({ from, options = {} }: { from: Source; options?: ImportReadingOptions }) =>
      dataOrThrow(
        api.POST('/admin/events/{event_slug}/guest_imports', {
          params: { path: { event_slug: slug } },
          body: {
            ...('csv' in from ? { csv: from.csv } : { file: from.file }),
            ...(usual.ticketId !== null && { ticket_id: usual.ticketId }),
            ...(usual.areaId !== null && { event_capacity_pool_id: usual.areaId }),
            ...options,
          },
        }),
      ),
    onSuccess: async (made) => {
      await navigate({ search: { id: made.id } })
      await queries.invalidateQueries({ queryKey: importsQuery(slug).queryKey })
    },
  })
  const read = (from: Source) => {
    setSource(from)
    reading.mutate({ from })
  }
  const startAgain = () => {
    reading.reset()
    dropPasted()
    setSource(null)
    void navigate({ search: {} })
  }
  // What was pasted is still in the tab after a reload; a file is not.
  const known = source ?? (pasted === '' ? null : { csv: pasted })

  return (
    <>
      <BackLink to="/events/$slug/guests" params={{ slug }}>
        {words.backToList}
      </BackLink>
      <Title order={1} size="h2" mb="xs">
        {words.importTitle}
      </Title>
      {id === undefined && (
        <>
          <Text c="dimmed" maw="40rem" mb="md">
            {own.intro}
          </Text>
          <SourceForm
            slug={slug}
            pasted={pasted}
            onPasted={setPasted}
            usual={usual}
            onUsual={setUsual}
            onRead={read}
            isPending={reading.isPending}
            error={reading.error}
          />
          <EarlierImports slug={slug} />
        </>
      )}
      {id !== undefined && (
        <OneImport slug={slug} id={id} onStartAgain={startAgain}>
          {(one) => (
            <ImportInterpretation
              slug={slug}
              reading={one}
              isReadable={known !== null}
              isPending={reading.isPending}
              error={reading.error}
              onReread={(options) => known && reading.mutate({ from: known, options })}
            />
          )}
        </OneImport>
      )}
    </>
  )
}

interface OneImportProps {
  slug: string
  id: string
  onStartAgain: () => void
  children: (one: Schemas['GuestImport']) => ReactNode
}

const OneImport = ({ slug, id, onStartAgain, children }: OneImportProps) => {
  const query = useQuery(importQuery(slug, id))
  if (query.isPending) return <LoadingRows rows={4} />
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <>
      <ImportStatusPanel slug={slug} one={query.data} onStartAgain={onStartAgain} />
      {query.data.status === 'analyzed' && children(query.data)}
    </>
  )
}

interface SourceFormProps {
  slug: string
  pasted: string
  onPasted: (text: string) => void
  usual: { ticketId: number | null; areaId: number | null }
  onUsual: (choice: { ticketId: number | null; areaId: number | null }) => void
  onRead: (source: Source) => void
  isPending: boolean
  error: unknown
}

const SourceForm = ({ slug, pasted, onPasted, usual, onUsual, onRead, isPending, error }: SourceFormProps) => {
  const own = useWords(importWords)
  const options = useQuery(ticketOptionsQuery(slug))
  const chooser = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const faults = faultsByField(error)
  const fault = faults['csv'] ?? faults['file'] ?? (error ? refusalSentence(error) : null)

  const readFile = async (file: File | undefined) => {
    if (file) onRead({ file: base64Of(new Uint8Array(await file.arrayBuffer())), name: file.name })
  }
  const isOver = useDroppedFile(form, (file) => void readFile(file))

  return (
    <form
      ref={form}
      className={classes.source}
      data-over={isOver || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending && pasted.trim() !== '') onRead({ csv: pasted })
      }}
    >
      <Textarea
        label={own.paste}
        placeholder={own.pasteHint}
        value={pasted}
        onChange={(event) => onPasted(event.currentTarget.value)}
        minRows={6}
        maxRows={16}
        autosize
        dir="auto"
        error={fault}
      />
      <div className={classes.quickChoices}>
        {options.data && (
          <TicketChoice
            options={options.data}
            {...usual}
            onChange={onUsual}
            none={own.noUsual}
            label={own.usualTicket}
            faults={faults}
          />
        )}
      </div>
      <Group gap="sm">
        <Button type="submit" loading={isPending} disabled={pasted.trim() === ''}>
          {own.read}
        </Button>
        <Button variant="default" onClick={() => chooser.current?.click()}>
          {own.file}
        </Button>
        <span className={classes.quiet}>{own.drop}</span>
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label={own.file}
          accept=".csv,.tsv,.txt,text/*"
          onChange={(event) => {
            void readFile(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </Group>
    </form>
  )
}

/** Piece by piece: a whole file would be more arguments than a call takes. */
const base64Of = (bytes: Uint8Array): string => {
  let text = ''
  for (let start = 0; start < bytes.length; start += 0x8000)
    text += String.fromCodePoint(...bytes.subarray(start, start + 0x8000))
  return btoa(text)
}

const EarlierImports = ({ slug }: { slug: string }) => {
  const own = useWords(importWords)
  const { number } = useFormat()
  const { data: event } = useQuery(eventQuery(slug))
  const { date } = useFormat()
  const { data: imports = [] } = useQuery(importsQuery(slug))
  if (imports.length === 0) return null
  return (
    <section className={classes.earlier} aria-label={own.before}>
      <Title order={2} size="lg" mb="xs">
        {own.before}
      </Title>
      <ul>
        {imports.map(({ id, status, rows_count, guests_count, created_at }) => (
          <li key={id}>
            <Link to="/events/$slug/guests/import" params={{ slug }} search={{ id }}>
              {own.result(number(rows_count), number(guests_count))}
            </Link>
            <span className={classes.quiet}>
              {own.statuses[status]} · {date(created_at, event?.time_zone ?? 'UTC', 'moment')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
