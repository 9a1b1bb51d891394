import { Button, NativeSelect, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { Suspense, lazy, memo, useCallback, useMemo, useState } from 'react'
import { useFormat } from '../../ui/format.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { RowLink } from '../../ui/row-link.tsx'
import { useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import { VoucherFigures } from './figures.tsx'
import { LookupBar } from './lookup-bar.tsx'
import { vouchersQuery } from './queries.ts'
import { STATUSES, type Voucher, reservedAmount } from './rules.ts'
import { StatusTag } from './status-tag.tsx'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const route = getRouteApi('/frame/vouchers')
const IssueDialog = lazy(() => import('./issue-dialog.tsx'))
const ExportDialog = lazy(() => import('./export-dialog.tsx'))

/** The desk: whoever comes with a voucher is told what is left of it. */
export const DeskView = () => {
  const words = useWords(voucherWords)
  const { issue: isIssuing = false, status } = route.useSearch()
  const navigate = route.useNavigate()
  const [isExporting, setExporting] = useState(false)
  usePageTitle(words.title)
  const setIssuing = (isOpen: boolean) =>
    void navigate({
      search: ({ issue: _before, ...rest }) => (isOpen ? { ...rest, issue: true } : rest),
      replace: true,
    })
  const open = () => setIssuing(true)
  useShortcuts([{ keys: 'n', label: words.do.issue, run: open }])

  return (
    <>
      <header className={classes.head}>
        <Title order={1} size="h2">
          {words.title}
        </Title>
        <div className={classes.tools}>
          <Button leftSection={<PlusIcon size={16} />} onClick={open}>
            {words.do.issue}
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/vouchers/products" {...props} />}>
            {words.rooms.products}
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/vouchers/import" {...props} />}>
            {words.rooms.import}
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/vouchers/month" {...props} />}>
            {words.rooms.months}
          </Button>
        </div>
      </header>
      <LookupBar />
      <FoundVouchers onIssue={open} onExport={() => setExporting(true)} />
      <Suspense>
        {isIssuing && <IssueDialog onClose={() => setIssuing(false)} />}
        {isExporting && <ExportDialog status={status ?? null} onClose={() => setExporting(false)} />}
      </Suspense>
    </>
  )
}

const keyOf = ({ id }: Voucher) => id

const FoundVouchers = ({ onIssue, onExport }: { onIssue: () => void; onExport: () => void }) => {
  const words = useWords(voucherWords)
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery({ ...vouchersQuery(status ?? null), placeholderData: (before) => before })
  const vouchers = useMemo(() => query.data?.pages.flatMap((page) => page.vouchers) ?? [], [query.data])
  const summary = query.data?.pages[0]?.summary
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, hasNextPage, isFetchingNextPage])
  const renderRow = useCallback((voucher: Voucher) => <VoucherRow voucher={voucher} />, [])

  if (query.isPending) return <LoadingRows rows={8} height={56} />
  if (query.isError && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (summary?.count === 0) {
    return (
      <EmptyState title={words.none} action={<Button onClick={onIssue}>{words.do.issue}</Button>}>
        {words.noneMore}
      </EmptyState>
    )
  }
  return (
    <>
      {summary && <VoucherFigures summary={summary} />}
      <div className={classes.toolbar}>
        <NativeSelect
          aria-label={words.filter}
          value={status ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const chosen = STATUSES.find((each) => each === value)
            void navigate({
              search: ({ status: _before, ...rest }) => (chosen ? { ...rest, status: chosen } : rest),
            })
          }}
          data={[{ value: '', label: words.all }, ...STATUSES.map((value) => ({ value, label: words.filters[value] }))]}
        />
        <Button variant="default" onClick={onExport}>
          {words.do.save}
        </Button>
      </div>
      {vouchers.length === 0 ? (
        <EmptyState
          title={words.noneFound}
          action={
            <Button variant="default" onClick={() => void navigate({ search: {} })}>
              {words.showAll}
            </Button>
          }
        />
      ) : (
        <VirtualList
          items={vouchers}
          keyOf={keyOf}
          label={words.list}
          estimate={60}
          renderRow={renderRow}
          onNearEnd={readOn}
        />
      )}
    </>
  )
}

/** Drawn anew only when something about its voucher has changed. */
const VoucherRow = memo(({ voucher }: { voucher: Voucher }) => {
  const words = useWords(voucherWords)
  const { date, money } = useFormat()
  const { account } = useSession()
  const { balance, issued_amount: issued, expires_at } = voucher
  const reserved = reservedAmount(voucher)
  return (
    <RowLink path={`/vouchers/${encodeURIComponent(voucher.id)}`} className={classes.row}>
      <span className={classes.code}>{voucher.masked_code}</span>
      <span className={classes.what} dir="auto">
        {[
          voucher.product_name ?? words.sources[voucher.source],
          expires_at === null ? null : words.until(date(expires_at, account.time_zone, 'dayAndYear')),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span className={classes.state}>
        <StatusTag status={voucher.status} />
        {reserved !== null && (
          <span className={classes.quiet}>{words.reserved(money(reserved, balance.currency))}</span>
        )}
      </span>
      <span className={classes.sum}>
        <strong>{money(balance.amount, balance.currency)}</strong>
        {issued.amount !== balance.amount && (
          <span className={classes.quiet}>{words.of(money(issued.amount, issued.currency))}</span>
        )}
      </span>
    </RowLink>
  )
})
VoucherRow.displayName = 'VoucherRow'
