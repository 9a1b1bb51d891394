import { Alert, Button, SegmentedControl, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo, useCallback, useMemo, useState } from 'react'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { downloadFile } from '../../ui/download-file.ts'
import { useFormat } from '../../ui/format.ts'
import { messageInWords, refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import { importWords } from './import-words.ts'
import { importQuery, invalidateVouchers } from './queries.ts'
import { type ImportDetail, countFaults, faultsAsCsv, worthOfRows } from './rules.ts'
import classes from './vouchers.module.css'

interface ImportResultProps {
  one: ImportDetail
  onAgain: () => void
}

const KINDS_SHOWN = 8

/** What an import would do, does, or has done. */
export const ImportResult = ({ one, onAgain }: ImportResultProps) => {
  const own = useWords(importWords)
  const { money, number } = useFormat()
  const { account } = useSession()
  const rows = own.rows(number(one.rows_count), one.rows_count === 1)
  const worth = useMemo(() => worthOfRows(one), [one])
  const shownWorth = worth === null ? '' : money(worth, account.currency)
  return (
    <div className={classes.result}>
      {one.status === 'analyzed' && (
        <>
          {one.validation_errors.length === 0 ? (
            <>
              <p className={classes.summary} role="status">
                <strong>{own.fits(rows, shownWorth)}</strong>
              </p>
              <Apply one={one} rows={rows} worth={shownWorth} onAgain={onAgain} />
            </>
          ) : (
            <FaultSummary one={one} rows={rows} onAgain={onAgain} />
          )}
          <Details one={one} />
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
      {one.status === 'applied' && (
        <p className={classes.summary} role="status">
          <strong>{own.applied(own.rows(number(one.imported_rows_count), one.imported_rows_count === 1))}</strong>{' '}
          {own.appliedMore}
        </p>
      )}
      {(one.status === 'failed' || one.status === 'applied') && (
        <div className={classes.tools}>
          <Button renderRoot={(props) => <Link to="/vouchers" {...props} />}>{own.toDesk}</Button>
          <Button variant="default" onClick={onAgain}>
            {own.again}
          </Button>
        </div>
      )}
    </div>
  )
}

interface ApplyProps extends ImportResultProps {
  rows: string
  worth: string
}

const Apply = ({ one, rows, worth, onAgain }: ApplyProps) => {
  const own = useWords(importWords)
  const { role } = useSession()
  const queries = useQueryClient()
  const applying = useMutation({
    mutationFn: () =>
      dataOrThrow(
        api.POST('/admin/voucher_imports/{voucher_import_id}/application', {
          params: { path: { voucher_import_id: one.id } },
        }),
      ),
    onSettled: () =>
      Promise.all([queries.invalidateQueries({ queryKey: importQuery(one.id).queryKey }), invalidateVouchers(queries)]),
  })
  if (role !== 'owner') return <Text c="dimmed">{own.ownersOnly}</Text>
  return (
    <>
      <p className={classes.effect}>{own.applyMore(worth)}</p>
      {applying.isError && (
        <p className={classes.fault} role="alert">
          {refusalSentence(applying.error)}
        </p>
      )}
      <div className={classes.tools}>
        <Button loading={applying.isPending} onClick={() => applying.mutate()}>
          {own.apply(rows)}
        </Button>
        <Button variant="default" onClick={onAgain}>
          {own.again}
        </Button>
      </div>
    </>
  )
}

const useFieldName = () => {
  const { fields } = useWords(importWords)
  return (field: string) => (field in fields ? fields[field as keyof typeof fields] : field)
}

/** Of thousands of faults most are the same: those are told first, with how often they occur. */
const FaultSummary = ({ one, rows, onAgain }: ImportResultProps & { rows: string }) => {
  const own = useWords(importWords)
  const { number } = useFormat()
  const fieldName = useFieldName()
  const kinds = useMemo(() => countFaults(one.validation_errors), [one])
  const faulty = number(one.rows_count - one.valid_rows_count)
  return (
    <section aria-label={own.faulty(faulty, rows)}>
      <Title order={2} size="lg" c="bad">
        {own.faulty(faulty, rows)}
      </Title>
      <Text c="dimmed" size="sm">
        {own.faultyMore}
      </Text>
      <ul className={classes.list} aria-label={own.kinds}>
        {kinds.slice(0, KINDS_SHOWN).map(({ field, message, count }) => (
          <li key={`${field} ${message}`}>
            <span dir="auto">{`${fieldName(field)} ${messageInWords(message)}`}</span>
            <span className={classes.quiet}>{`${number(count)}×`}</span>
          </li>
        ))}
      </ul>
      <div className={classes.actions}>
        <Button onClick={onAgain}>{own.again}</Button>
        <Button
          variant="default"
          onClick={() =>
            downloadFile('voucher-import-faults.csv', 'text/csv;charset=utf-8', faultsAsCsv(one.validation_errors))
          }
        >
          {own.saveFaults}
        </Button>
      </div>
    </section>
  )
}

/** Line by line, either what is wrong or what was read. */
const Details = ({ one }: { one: ImportDetail }) => {
  const own = useWords(importWords)
  const { number } = useFormat()
  const faults = one.validation_errors
  const [shown, setShown] = useState(faults.length > 0 ? 'faults' : 'rows')
  return (
    <>
      {faults.length > 0 && (
        <SegmentedControl
          aria-label={own.show}
          value={shown}
          onChange={setShown}
          w="fit-content"
          data={[
            { value: 'faults', label: own.faultsTab(number(faults.length)) },
            { value: 'rows', label: own.rowsTab(number(one.rows_count)) },
          ]}
        />
      )}
      {shown === 'faults' ? <Faults faults={faults} /> : <Rows rows={one.rows} />}
    </>
  )
}

type Fault = ImportDetail['validation_errors'][number]
type Row = ImportDetail['rows'][number]

const keyOfFault = ({ line, field, message }: Fault) => `${line} ${field} ${message}`
const keyOfRow = ({ line }: Row) => String(line)

const Faults = ({ faults }: { faults: readonly Fault[] }) => {
  const own = useWords(importWords)
  const renderRow = useCallback((fault: Fault) => <FaultLine fault={fault} />, [])
  return (
    <VirtualList
      items={faults}
      keyOf={keyOfFault}
      label={own.faultList}
      estimate={37}
      renderRow={renderRow}
      recyclesRows
    />
  )
}

const FaultLine = memo(({ fault: { line, field, message } }: { fault: Fault }) => {
  const own = useWords(importWords)
  const { number } = useFormat()
  const fieldName = useFieldName()
  return (
    <div className={classes.line}>
      <span className={classes.quiet}>{own.line(number(line))}</span>
      <span>{`${fieldName(field)} ${messageInWords(message)}`}</span>
    </div>
  )
})
FaultLine.displayName = 'FaultLine'

const Rows = ({ rows }: { rows: readonly Row[] }) => {
  const own = useWords(importWords)
  const renderRow = useCallback((row: Row) => <RowLine row={row} />, [])
  return (
    <VirtualList items={rows} keyOf={keyOfRow} label={own.rowList} estimate={37} renderRow={renderRow} recyclesRows />
  )
}

const RowLine = memo(({ row }: { row: Row }) => {
  const own = useWords(importWords)
  const { date, money, number } = useFormat()
  const { account } = useSession()
  return (
    <div className={classes.importRow}>
      <span className={classes.quiet}>{own.line(number(row.line))}</span>
      <span>{row.masked_code ?? own.drawn}</span>
      <span>{row.amount ? money(row.amount.amount, row.amount.currency) : '–'}</span>
      <span className={classes.quiet} dir="auto">
        {[row.expires_at && date(row.expires_at, account.time_zone, 'dayAndYear'), row.product_name, row.note]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  )
})
RowLine.displayName = 'RowLine'
