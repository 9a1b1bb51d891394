import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../ui/format.ts'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import { reservationsQuery } from './queries.ts'
import { type VoucherDetail, reservedAmount, signed } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

/** What stands on it, what is set aside, and what can be spent now. */
export const Balance = ({ voucher }: { voucher: VoucherDetail }) => {
  const { balance: words } = useWords(voucherWords)
  const { date, money } = useFormat()
  const { account } = useSession()
  const reserved = reservedAmount(voucher)
  const { data: reservations = [] } = useQuery({ ...reservationsQuery(voucher.id), enabled: reserved !== null })
  const { amount, currency } = voucher.balance
  const time = (at: string) => date(at, account.time_zone, 'time')
  return (
    <dl className={classes.balance} aria-label={words.title}>
      <div data-strong={reserved === null || undefined}>
        <dt>{words.balance}</dt>
        <dd>{money(amount, currency)}</dd>
      </div>
      {reserved !== null && (
        <>
          <div>
            <dt>
              {words.reserved}
              {reservations.map(({ id, created_at, expires_at }) => (
                <span key={id} className={classes.quiet}>
                  {words.since(time(created_at), time(expires_at))}
                </span>
              ))}
            </dt>
            <dd>{money(signed(reserved, -1), currency)}</dd>
          </div>
          <div data-strong>
            <dt>{words.available}</dt>
            <dd>{money(voucher.available_balance.amount, currency)}</dd>
          </div>
        </>
      )}
    </dl>
  )
}
