import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { knownCodeOf } from './known-codes.ts'
import { blockVoucher, invalidateVouchers, unblockVoucher } from './queries.ts'
import type { VoucherDetail } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const AdjustDialog = lazy(() => import('./adjust-dialog.tsx'))
const BlockDialog = lazy(() => import('./block-dialog.tsx'))
const CodeDialog = lazy(() => import('./code-dialog.tsx'))
const PrintedVoucher = lazy(() => import('./printed-voucher.tsx'))
const PrintedStatement = lazy(() => import('./printed-statement.tsx'))

type Open = 'adjust' | 'block' | 'code' | 'print' | 'statement' | null

/** What can be done about a voucher. Corrections are for owners. */
export const VoucherActions = ({ voucher }: { voucher: VoucherDetail }) => {
  const words = useWords(voucherWords)
  const { role } = useSession()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const code = knownCodeOf(voucher.id)
  const unblock = useUnblock(voucher)
  const button = (label: string, onClick: () => void, isLoading = false) => (
    <Button size="compact-md" variant="default" loading={isLoading} onClick={onClick}>
      {label}
    </Button>
  )
  return (
    <>
      <div className={classes.actions}>
        {role === 'owner' && voucher.status !== 'expired' && button(words.do.adjust, () => setOpen('adjust'))}
        {button(words.do.print, () => setOpen(code === null ? 'code' : 'print'))}
        {button(words.do.printStatement, () => setOpen('statement'))}
        {voucher.blocked_at === null ? (
          <Button size="compact-md" variant="light" color="bad" onClick={() => setOpen('block')}>
            {words.do.block}
          </Button>
        ) : (
          button(words.do.unblock, () => unblock.mutate(voucher.block_reason ?? ''), unblock.isPending)
        )}
      </div>
      <Suspense>
        {open === 'adjust' && <AdjustDialog voucher={voucher} onClose={close} />}
        {open === 'block' && <BlockDialog voucher={voucher} onClose={close} />}
        {open === 'code' && <CodeDialog voucher={voucher} onKnown={() => setOpen('print')} onClose={close} />}
        {open === 'print' && code !== null && <PrintedVoucher voucher={voucher} code={code} onDone={close} />}
        {open === 'statement' && <PrintedStatement voucher={voucher} onDone={close} />}
      </Suspense>
    </>
  )
}

/** Lifting a block is done at once, and can be taken back with the reason that was there. */
const useUnblock = (voucher: VoucherDetail) => {
  const { block: words } = useWords(voucherWords)
  const queries = useQueryClient()
  const onError = (error: unknown) => showErrorToast(refusalSentence(error))
  const again = useMutation({
    mutationFn: (reason: string) => blockVoucher(voucher.id, reason),
    onSuccess: () => invalidateVouchers(queries),
    onError,
  })
  return useMutation({
    mutationFn: (_reason: string) => unblockVoucher(voucher.id),
    onSuccess: async (_freed, reason) => {
      showToast(words.lifted, { label: words.again, run: () => again.mutate(reason) })
      await invalidateVouchers(queries)
    },
    onError,
  })
}
