import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, lazy, useRef, useState } from 'react'
import { isRefusal } from '../../api/client.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useScannedText } from '../../ui/scanned-text.ts'
import { useWords } from '../../ui/words.ts'
import { rememberCode } from './known-codes.ts'
import { invalidateVouchers, lookUpVoucher } from './queries.ts'
import { isWholeCode } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

const CameraDialog = lazy(() => import('./camera-dialog.tsx'))

/** Finds a voucher by its code, typed or scanned. What is asked for never stands in an address. */
export const LookupBar = () => {
  const { lookup: words } = useWords(voucherWords)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [isLooking, setLooking] = useState(false)
  /** What was asked for last. An answer to anything before it comes too late. */
  const wanted = useRef<string | null>(null)
  const finding = useMutation({
    mutationFn: (typed: string) => lookUpVoucher(typed),
    onSuccess: async (voucher, typed) => {
      rememberCode(voucher.id, typed)
      if (typed !== wanted.current) return
      wanted.current = null
      setCode('')
      await invalidateVouchers(queries)
      await navigate({ to: '/vouchers/$voucher', params: { voucher: voucher.id } })
    },
  })
  const find = (text: string) => {
    const typed = text.trim()
    if (typed === '' || (finding.isPending && typed === wanted.current)) return
    wanted.current = typed
    finding.mutate(typed)
  }
  const take = (scanned: string) => {
    setCode(scanned)
    find(scanned)
  }
  useScannedText(take)
  useShortcuts([{ keys: '/', label: words.label, run: () => field.current?.focus() }])
  const isUnfinished = code !== '' && !isWholeCode(code)
  const error = isRefusal(finding.error, 'not_found')
    ? words.unknown
    : finding.error
      ? refusalSentence(finding.error)
      : null

  return (
    <form
      className={classes.lookup}
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        find(code)
      }}
    >
      <TextInput
        ref={field}
        className={classes.lookupField}
        label={words.label}
        placeholder="XXXX-XXXX-XXXX-XXXX"
        description={words.hint}
        value={code}
        onChange={(event) => {
          setCode(event.currentTarget.value)
          wanted.current = null
          finding.reset()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        error={error}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <Button type="submit" loading={finding.isPending} disabled={isUnfinished || code === ''}>
        {words.find}
      </Button>
      <Button variant="default" onClick={() => setLooking(true)}>
        {words.camera}
      </Button>
      {isLooking && (
        <Suspense>
          <CameraDialog
            onCode={(scanned) => {
              setLooking(false)
              take(scanned)
            }}
            onClose={() => setLooking(false)}
          />
        </Suspense>
      )}
    </form>
  )
}
