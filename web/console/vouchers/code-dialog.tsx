import { Button, Modal, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isRefusal } from '../../api/client.ts'
import { commonWords } from '../../ui/common-words.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useWords } from '../../ui/words.ts'
import { rememberCode } from './known-codes.ts'
import { lookUpVoucher } from './queries.ts'
import type { Voucher } from './rules.ts'
import classes from './vouchers.module.css'
import { voucherWords } from './words.ts'

interface CodeDialogProps {
  voucher: Voucher
  onKnown: () => void
  onClose: () => void
}

/** Nobody is told a code: whoever wants it on paper has it in hand. */
const CodeDialog = ({ voucher, onKnown, onClose }: CodeDialogProps) => {
  const { print: words } = useWords(voucherWords)
  const common = useWords(commonWords)
  const [code, setCode] = useState('')
  const checking = useMutation({
    mutationFn: () => lookUpVoucher(code.trim()),
    onSuccess: ({ id }) => {
      if (id !== voucher.id) return
      rememberCode(id, code)
      onKnown()
    },
  })
  const isWrong = (checking.data && checking.data.id !== voucher.id) || isRefusal(checking.error, 'not_found')
  return (
    <Modal opened onClose={onClose} title={words.title} closeButtonProps={{ 'aria-label': common.close }}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!checking.isPending && code.trim() !== '') checking.mutate()
        }}
      >
        <Text>{words.more}</Text>
        <TextInput
          label={words.code}
          value={code}
          onChange={(event) => {
            setCode(event.currentTarget.value)
            checking.reset()
          }}
          error={isWrong ? words.wrong : checking.error ? refusalSentence(checking.error) : null}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <div className={classes.end}>
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={checking.isPending}>
            {words.do}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

export default CodeDialog
