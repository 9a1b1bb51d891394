import { Alert, Button, Checkbox, Group, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/api.ts'
import { type Schemas, dataOrThrow } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { messageInWords, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { importWords } from './import-words.ts'
import { eventQuery, importQuery } from './queries.ts'
import { guestWords } from './words.ts'

type ImportDetail = Schemas['GuestImportDetail']

const FAULTS_SHOWN = 200
const ROWS_SHOWN = 20

interface ImportResultProps {
  slug: string
  one: ImportDetail
  onStartAgain: () => void
}

/** What an import would do, does, or has done. */
export const ImportStatusPanel = ({ slug, one, onStartAgain }: ImportResultProps) => {
  const own = useWords(importWords)
  const { number } = useFormat()
  return (
    <div className={classes.result}>
      {one.status === 'analyzed' && (
        <>
          <p className={classes.summary} role="status">
            <strong>{own.result(number(one.rows_count), number(one.guests_count))}</strong>{' '}
            {one.validation_errors.length === 0 && own.fits}
          </p>
          <Faults one={one} />
          <Stock one={one} />
          <Apply slug={slug} one={one} onStartAgain={onStartAgain} />
          <Preview one={one} />
        </>
      )}
      {one.status === 'applying' && (
        <p className={classes.summary} role="status">
          {own.applying}
        </p>
      )}
      {one.status === 'failed' && (
        <Alert color="bad" title={own.failed} role="alert">
          {messageInWords(one.failure_message ?? '')}
        </Alert>
      )}
      {one.status === 'applied' && <Applied slug={slug} one={one} />}
      {one.status === 'undone' && (
        <p className={classes.summary} role="status">
          {own.undone}
        </p>
      )}
      {one.status !== 'analyzed' && one.status !== 'applying' && (
        <Group gap="xs" mt="md">
          <Button renderRoot={(props) => <Link to="/events/$slug/guests" params={{ slug }} {...props} />}>
            {own.toList}
          </Button>
          <Button variant="default" onClick={onStartAgain}>
            {own.startAgain}
          </Button>
        </Group>
      )}
    </div>
  )
}

type Fault = ImportDetail['validation_errors'][number]

const FaultList = ({ faults }: { faults: readonly Fault[] }) => {
  const own = useWords(importWords)
  const { number } = useFormat()
  const fieldName = (field: string) => (field in own.fields ? own.fields[field as keyof typeof own.fields] : field)
  return (
    <>
      <ul className={classes.faults}>
        {faults.slice(0, FAULTS_SHOWN).map(({ line, field, message }) => (
          <li key={`${line} ${field} ${message}`}>
            <span className={classes.line}>{own.line(line)}</span>
            <span>{`${fieldName(field)} ${messageInWords(message)}`}</span>
          </li>
        ))}
      </ul>
      {faults.length > FAULTS_SHOWN && (
        <p className={classes.quiet}>{own.more(number(faults.length - FAULTS_SHOWN))}</p>
      )}
    </>
  )
}

const Faults = ({ one }: { one: ImportDetail }) => {
  const own = useWords(importWords)
  const { number } = useFormat()
  const lines = new Set(one.validation_errors.map(({ line }) => line)).size
  return (
    <>
      {lines > 0 && (
        <section className={classes.faulty} aria-label={own.faults(number(lines))}>
          <Title order={2} size="lg">
            {own.faults(number(lines))}
          </Title>
          <Text c="dimmed" size="sm">
            {own.faultsMore}
          </Text>
          <FaultList faults={one.validation_errors} />
        </section>
      )}
      {one.warnings.length > 0 && (
        <section aria-label={own.warnings}>
          <Title order={2} size="lg">
            {own.warnings}
          </Title>
          <FaultList faults={one.warnings} />
        </section>
      )}
    </>
  )
}

const Stock = ({ one }: { one: ImportDetail }) => {
  const words = useWords(guestWords)
  const own = useWords(importWords)
  const { number } = useFormat()
  if (one.stock.length === 0) return null
  return (
    <section aria-label={own.stock}>
      <Title order={2} size="lg">
        {own.stock}
      </Title>
      <Table verticalSpacing="xs" horizontalSpacing={0} maw="36rem">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.quick.ticket}</Table.Th>
            <Table.Th ta="right">{own.takes}</Table.Th>
            <Table.Th ta="right">{own.left}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {one.stock.map(
            ({ ticket_id, ticket_title, standing_area_id, standing_area_name, quantity, available_stock }) => (
              <Table.Tr key={`${ticket_id} ${standing_area_id}`}>
                <Table.Td dir="auto">{[ticket_title, standing_area_name].filter(Boolean).join(' · ')}</Table.Td>
                <Table.Td ta="right" className="tabular">
                  {number(quantity)}
                </Table.Td>
                <Table.Td ta="right" className="tabular">
                  {available_stock === null ? words.quick.noLimit : number(available_stock)}
                </Table.Td>
              </Table.Tr>
            ),
          )}
        </Table.Tbody>
      </Table>
    </section>
  )
}

const Apply = ({ slug, one, onStartAgain }: ImportResultProps) => {
  const own = useWords(importWords)
  const { number } = useFormat()
  const queries = useQueryClient()
  const [deliver, setDeliver] = useState(false)
  const application = useMutation({
    mutationFn: () =>
      dataOrThrow(
        api.POST('/admin/events/{event_slug}/guest_imports/{guest_import_id}/application', {
          params: { path: { event_slug: slug, guest_import_id: one.id } },
          body: { deliver },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['events', slug] }),
  })
  const isFaulty = one.validation_errors.length > 0
  return (
    <div className={classes.apply}>
      {!isFaulty && (
        <Checkbox label={own.deliver} checked={deliver} onChange={(event) => setDeliver(event.currentTarget.checked)} />
      )}
      <Group gap="xs">
        <Button disabled={isFaulty} loading={application.isPending} onClick={() => application.mutate()}>
          {own.apply(number(one.rows_count))}
        </Button>
        <Button variant="default" onClick={onStartAgain}>
          {own.startAgain}
        </Button>
      </Group>
      {application.isError && <Fault>{refusalSentence(application.error)}</Fault>}
    </div>
  )
}

const Applied = ({ slug, one }: { slug: string; one: ImportDetail }) => {
  const own = useWords(importWords)
  const { date, number } = useFormat()
  const queries = useQueryClient()
  const { data: event } = useQuery(eventQuery(slug))
  const undoing = useMutation({
    mutationFn: () =>
      dataOrThrow(
        api.DELETE('/admin/events/{event_slug}/guest_imports/{guest_import_id}/application', {
          params: { path: { event_slug: slug, guest_import_id: one.id } },
        }),
      ),
    onSuccess: async () => {
      showToast(own.undone)
      await queries.invalidateQueries({ queryKey: importQuery(slug, one.id).queryKey })
      await queries.invalidateQueries({ queryKey: ['events', slug] })
    },
  })
  return (
    <>
      <p className={classes.summary} role="status">
        {own.applied(number(one.imported_rows_count), number(one.guests_count))}
      </p>
      {one.undoable_until && (
        <div className={classes.apply}>
          <Text c="dimmed" size="sm">
            {own.undoMore(date(one.undoable_until, event?.time_zone ?? 'UTC', 'moment'))}
          </Text>
          <Group>
            <Button variant="light" color="bad" loading={undoing.isPending} onClick={() => undoing.mutate()}>
              {own.undo}
            </Button>
          </Group>
          {undoing.isError && <Fault>{refusalSentence(undoing.error)}</Fault>}
        </div>
      )}
    </>
  )
}

const Fault = ({ children }: { children: ReactNode }) => (
  <p className={classes.fault} role="alert">
    {children}
  </p>
)

const Preview = ({ one }: { one: ImportDetail }) => {
  const words = useWords(guestWords)
  const own = useWords(importWords)
  const { number } = useFormat()
  return (
    <section aria-label={own.preview}>
      <Title order={2} size="lg">
        {own.preview}
      </Title>
      <ul className={classes.preview}>
        {one.rows.slice(0, ROWS_SHOWN).map((row) => (
          <li key={row.line}>
            <span className={classes.line}>{own.line(row.line)}</span>
            <span dir="auto" className={classes.name}>
              {row.customer_name || '–'}
            </span>
            <span className={classes.quiet} dir="auto">
              {[
                words.people(row.party_size),
                row.ticket_title,
                row.standing_area_name,
                row.place_labels.join(', '),
                row.delivery_email,
                row.staff_note,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {one.rows.length > ROWS_SHOWN && (
        <p className={classes.quiet}>{own.more(number(one.rows.length - ROWS_SHOWN))}</p>
      )}
    </section>
  )
}
