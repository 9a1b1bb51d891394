import { Title } from '@mantine/core'
import { memo, useCallback } from 'react'
import { useFormat } from '../../ui/format.ts'
import { RowLink } from '../../ui/row-link.tsx'
import { useSession } from '../../ui/session.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import type { Entry } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const keyOf = ({ id }: Entry) => id

/** Every movement of a voucher as a bank would tell it; of thousands only those in sight exist. */
export const Ledger = ({ entries }: { entries: readonly Entry[] }) => {
  const { ledger: words } = useWords(voucherWords)
  const renderRow = useCallback((entry: Entry) => <EntryRow entry={entry} />, [])
  return (
    <section aria-label={words.title}>
      <Title order={2} size="lg">
        {words.title}
      </Title>
      <div className={classes.entryHead} aria-hidden="true">
        <span>{words.day}</span>
        <span>{words.what}</span>
        <span>{words.amount}</span>
        <span>{words.after}</span>
      </div>
      <VirtualList
        items={entries}
        keyOf={keyOf}
        label={words.list}
        estimate={44}
        renderRow={renderRow}
        recyclesRows={entries.length > 100}
      />
    </section>
  )
}

const EntryRow = memo(({ entry }: { entry: Entry }) => {
  const { ledger: words } = useWords(voucherWords)
  const { date, money } = useFormat()
  const { account } = useSession()
  const { amount, currency } = entry.amount
  const isDebit = amount.startsWith('-')
  return (
    <div className={classes.entry} data-debit={isDebit || undefined}>
      <span className={classes.quiet}>{date(entry.created_at, account.time_zone, 'momentAndYear')}</span>
      <span className={classes.entryWhat}>
        <span>
          {words.kinds[entry.kind]}
          {entry.order_id !== null && (
            <>
              {' · '}
              <RowLink path={`/orders/${encodeURIComponent(entry.order_id)}`}>{words.order}</RowLink>
            </>
          )}
        </span>
        {(entry.reason ?? entry.actor) && (
          <span className={classes.quiet} dir="auto">
            {[entry.reason, entry.actor].filter(Boolean).join(' · ')}
          </span>
        )}
      </span>
      <span>
        {isDebit ? '' : '+'}
        {money(amount, currency)}
      </span>
      <span>{money(entry.balance_after.amount, currency)}</span>
    </div>
  )
})
EntryRow.displayName = 'EntryRow'
