import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const PrintedVoucher = lazy(() => import('./printed-voucher.tsx'))

interface IssuedCodeProps {
  issued: Schemas['IssuedVoucher']
  onAnother: () => void
}

/** The code of a new voucher, which nobody is told again. */
export const IssuedCode = ({ issued, onAnother }: IssuedCodeProps) => {
  const { issue: words, do: names } = useWords(voucherWords)
  const { money } = useFormat()
  const [isPrinting, setPrinting] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(issued.code)
      showToast(words.copied)
    } catch {
      showErrorToast(words.notCopied)
    }
  }
  return (
    <div className={classes.form}>
      <strong>{money(issued.balance.amount, issued.balance.currency)}</strong>
      <p className={classes.bigCode} role="status" aria-label={words.codeLabel}>
        {issued.code}
      </p>
      <p className={classes.effect}>{words.once}</p>
      <div className={classes.end}>
        <Button variant="default" onClick={onAnother}>
          {words.another}
        </Button>
        <Button variant="default" onClick={() => void copy()}>
          {words.copy}
        </Button>
        <Button variant="default" onClick={() => setPrinting(true)}>
          {names.print}
        </Button>
        <Button renderRoot={(props) => <Link to="/vouchers/$voucher" params={{ voucher: issued.id }} {...props} />}>
          {words.open}
        </Button>
      </div>
      <Suspense>
        {isPrinting && <PrintedVoucher voucher={issued} code={issued.code} onDone={() => setPrinting(false)} />}
      </Suspense>
    </div>
  )
}
