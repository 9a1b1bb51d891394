import { useFormat } from '../../ui/format.ts'
import { Paper } from '../../ui/paper.tsx'
import { PrintedQrCode } from '../../ui/qr-code.tsx'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './printed.module.css'
import type { Voucher } from './rules.ts'
import { voucherWords } from './words.ts'

interface PrintedVoucherProps {
  voucher: Voucher
  code: string
  onDone: () => void
}

/** A voucher to be handed over: what it is worth, its code, and the same to be scanned. */
const PrintedVoucher = ({ voucher, code, onDone }: PrintedVoucherProps) => {
  const { print: words } = useWords(voucherWords)
  const { date, money } = useFormat()
  const { account } = useSession()
  const { balance, issued_amount: issued, expires_at } = voucher
  const isWhole = balance.amount === issued.amount
  return (
    <Paper onDone={onDone}>
      <section className={classes.voucher}>
        <div>
          <h1 dir="auto">{account.name}</h1>
          <p dir="auto">{voucher.product_name ?? words.voucher}</p>
          <p>{isWhole ? words.worth : words.left}</p>
          <p className={classes.worth}>{money(balance.amount, balance.currency)}</p>
          <p className={classes.code}>{code}</p>
          {expires_at !== null && <p>{words.valid(date(expires_at, account.time_zone, 'dayAndYear'))}</p>}
        </div>
        <PrintedQrCode content={code} className={classes.qr} />
      </section>
    </Paper>
  )
}

export default PrintedVoucher
