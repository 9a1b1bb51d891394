import { Button, Group, Modal, NumberInput, Progress, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { QrCode } from '../../ui/qr-code.tsx'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { useSession } from '../../ui/session.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { deviceWords } from './device-words.ts'
import { devicesQuery, pairingQuery, startPairing } from './queries.ts'
import type { Pairing } from './rules.ts'
import classes from './team.module.css'

const USES_MAX = 100

/** A code on the screen for one device or a stack of them. Its secret is in this dialog and nowhere else. */
const PairingDialog = ({ onClose }: { onClose: () => void }) => {
  const words = useWords(deviceWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const [pairing, setPairing] = useState<Pairing | null>(null)
  const close = () => {
    void queries.invalidateQueries({ queryKey: devicesQuery.queryKey })
    onClose()
  }
  return (
    <Modal opened onClose={close} title={words.pairTitle} closeButtonProps={{ 'aria-label': common.close }}>
      {pairing ? <CodeShown pairing={pairing} onClose={close} /> : <PairingForm onStart={setPairing} />}
    </Modal>
  )
}

const PairingForm = ({ onStart }: { onStart: (pairing: Pairing) => void }) => {
  const words = useWords(deviceWords)
  const [name, setName] = useState('')
  const [uses, setUses] = useState(1)
  const starting = useMutation({ mutationFn: () => startPairing(name, uses), onSuccess: onStart })
  const faults = starting.isError ? faultsByField(starting.error) : {}
  return (
    <form
      noValidate
      onSubmit={(submission) => {
        submission.preventDefault()
        starting.mutate()
      }}
    >
      <Stack>
        <TextInput
          label={words.name}
          description={words.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={faults['name']}
          autoComplete="off"
          data-autofocus
        />
        <NumberInput
          label={words.uses}
          description={words.usesHint}
          value={uses}
          onChange={(value) => setUses(Number(value))}
          min={1}
          max={USES_MAX}
          allowDecimal={false}
          error={faults['uses']}
        />
        {starting.isError && (
          <Text c="var(--bad)" role="alert">
            {refusalSentence(starting.error)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={starting.isPending}>
            {words.show}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const useIsPast = (iso: string): boolean => {
  const [isPast, setIsPast] = useState(() => Date.parse(iso) <= Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setIsPast(true), Math.max(0, Date.parse(iso) - Date.now()))
    return () => clearTimeout(timer)
  }, [iso])
  return isPast
}

const CodeShown = ({ pairing, onClose }: { pairing: Pairing; onClose: () => void }) => {
  const words = useWords(deviceWords)
  const { date, number } = useFormat()
  const { account } = useSession()
  const state = useQuery(pairingQuery(pairing.id))
  const used = state.data?.used_count ?? pairing.used_count
  const isDone = used >= pairing.uses
  const isExpired = useIsPast(pairing.expires_at)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(pairing.pairing_url)
      showToast(words.linkCopied)
    } catch {
      showErrorToast(words.notCopied)
    }
  }
  return (
    <Stack align="center">
      {!isDone && !isExpired && (
        <>
          <Text>{words.scanIt}</Text>
          <QrCode content={pairing.pairing_url} label={words.codeOf(pairing.name)} className={classes.code} />
        </>
      )}
      <div role="status">
        <Text ta="center" fw={600}>
          {isDone ? words.allPaired : isExpired ? words.expired : words.paired(number(used), number(pairing.uses))}
        </Text>
      </div>
      <Progress
        value={(used / pairing.uses) * 100}
        w="100%"
        aria-label={words.paired(number(used), number(pairing.uses))}
      />
      {!isDone && !isExpired && (
        <Text size="sm" c="dimmed">
          {words.validUntil(date(pairing.expires_at, account.time_zone, 'time'))}
        </Text>
      )}
      <Group gap="xs">
        {!isDone && !isExpired && (
          <Button variant="default" onClick={() => void copy()}>
            {words.copyLink}
          </Button>
        )}
        <Button onClick={onClose}>{words.done}</Button>
      </Group>
    </Stack>
  )
}

export default PairingDialog
