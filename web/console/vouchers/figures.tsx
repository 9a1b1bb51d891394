import type { Schemas } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

/** All vouchers of the account in figures, whatever the list shows. */
export const VoucherFigures = ({ summary }: { summary: Schemas['VoucherSummary'] }) => {
  const { figures: words } = useWords(voucherWords)
  const { money, number } = useFormat()
  const show = ({ amount, currency }: { amount: string; currency: string }) => money(amount, currency)
  const figures: [name: string, value: string][] = [
    [words.outstanding, show(summary.outstanding)],
    [words.issued, show(summary.issued)],
    [words.redeemed, show(summary.redeemed)],
    [words.sold, show(summary.sold)],
    [words.count, number(summary.count)],
    [words.blocked, number(summary.blocked_count)],
  ]
  return (
    <dl className={classes.figures} aria-label={words.title}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
