import { useFormat } from '../../ui/format.ts'
import { useNow } from '../../ui/now.ts'
import { Paper } from '../../ui/paper.tsx'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './printed.module.css'
import type { VoucherDetail } from './rules.ts'
import { voucherWords } from './words.ts'

/** Every entry of a voucher on paper, also those that the screen has not drawn. */
const PrintedStatement = ({ voucher, onDone }: { voucher: VoucherDetail; onDone: () => void }) => {
  const { print, ledger: words, balance } = useWords(voucherWords)
  const { date, money } = useFormat()
  const { account } = useSession()
  const now = useNow()
  return (
    <Paper onDone={onDone}>
      <h1 dir="auto">{account.name}</h1>
      <p>
        <strong>{print.statementOf(voucher.masked_code)}</strong>
        <br />
        {`${balance.balance}: ${money(voucher.balance.amount, voucher.balance.currency)}`}
        <br />
        {print.asOf(date(now.toISOString(), account.time_zone, 'momentAndYear'))}
      </p>
      <table className={classes.statement}>
        <thead>
          <tr>
            <th>{words.day}</th>
            <th>{words.what}</th>
            <th>{words.amount}</th>
            <th>{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {voucher.entries.map((entry) => (
            <tr key={entry.id}>
              <td>{date(entry.created_at, account.time_zone, 'momentAndYear')}</td>
              <td dir="auto">{[words.kinds[entry.kind], entry.reason, entry.actor].filter(Boolean).join(' · ')}</td>
              <td>{money(entry.amount.amount, entry.amount.currency)}</td>
              <td>{money(entry.balance_after.amount, entry.balance_after.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  )
}

export default PrintedStatement
