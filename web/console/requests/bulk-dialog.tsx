import { Button, Group, Modal, Progress, Stack, Table, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import classes from './requests.module.css'
import { type DecisionState, type SignupLink, type SignupRequest, countByQuota, countPeopleWaiting } from './rules.ts'
import type { DecisionProgress as BulkProgress } from './use-queue.ts'
import { requestWords } from './words.ts'

interface BulkDialogProps {
  kind: 'approved' | 'rejected'
  requests: readonly SignupRequest[]
  links: readonly SignupLink[]
  /** Null: no limit; undefined: not known. */
  ticketsLeft: number | null | undefined
  run: (onProgress: (progress: BulkProgress) => void) => Promise<ReadonlyMap<string, DecisionState>>
  onClose: () => void
}

/** Says what a decision about many comes to before it is made, and afterwards whom it did not reach. */
const BulkDialog = ({ kind, requests, links, ticketsLeft, run, onClose }: BulkDialogProps) => {
  const words = useWords(requestWords)
  const common = useWords(commonWords)
  const { number } = useFormat()
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const [results, setResults] = useState<ReadonlyMap<string, DecisionState> | null>(null)
  const isApproval = kind === 'approved'

  const start = async () => {
    setProgress({ done: 0, of: requests.length })
    setResults(await run(setProgress))
  }

  return (
    <Modal
      opened
      onClose={progress && !results ? () => {} : onClose}
      title={
        results ? words.requests : isApproval ? words.sureApprove(requests.length) : words.sureReject(requests.length)
      }
      size="lg"
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {results ? (
        <Results requests={requests} results={results} isApproval={isApproval} onClose={onClose} />
      ) : (
        <Stack>
          {isApproval && <Quotas requests={requests} links={links} ticketsLeft={ticketsLeft} />}
          <Text>{isApproval ? words.mailed : words.unmailed}</Text>
          {progress && (
            <div role="status">
              <Progress value={(progress.done / progress.of) * 100} aria-label={words.deciding} animated />
              <Text size="sm">{words.goOn(number(progress.done), number(progress.of))}</Text>
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={progress !== null}>
              {common.cancel}
            </Button>
            <Button data-autofocus onClick={() => void start()} loading={progress !== null}>
              {isApproval ? words.approvePicked(requests.length) : words.rejectPicked(requests.length)}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

const Quotas = ({ requests, links, ticketsLeft }: Pick<BulkDialogProps, 'requests' | 'links' | 'ticketsLeft'>) => {
  const words = useWords(requestWords)
  const { number } = useFormat()
  const checks = countByQuota(requests, links)
  const people = requests.reduce((sum, request) => sum + countPeopleWaiting(request), 0)
  const isTooMany =
    checks.some((check) => check.people > check.left) || (typeof ticketsLeft === 'number' && people > ticketsLeft)
  return (
    <>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.quotaOf}</Table.Th>
            <Table.Th ta="right">{words.wanted}</Table.Th>
            <Table.Th ta="right">{words.quotaLeft}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {checks.map(({ link, people: wanted, left }) => (
            <Table.Tr key={link.public_id}>
              <Table.Td dir="auto">{link.name ?? words.unnamed}</Table.Td>
              <Table.Td ta="right" className="tabular">
                {words.people(number(wanted))}
              </Table.Td>
              <Table.Td ta="right" className="tabular" c={wanted > left ? 'var(--warn)' : undefined}>
                {number(left)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {typeof ticketsLeft === 'number' && (
        <Text c="dimmed" size="sm">
          {words.ticketsLeft(number(ticketsLeft))}
        </Text>
      )}
      {isTooMany && (
        <Text c="var(--warn)" fw={600}>
          {words.tooMany}
        </Text>
      )}
    </>
  )
}

interface ResultsProps {
  requests: readonly SignupRequest[]
  results: ReadonlyMap<string, DecisionState>
  isApproval: boolean
  onClose: () => void
}

const Results = ({ requests, results, isApproval, onClose }: ResultsProps) => {
  const words = useWords(requestWords)
  const common = useWords(commonWords)
  const { number } = useFormat()
  const closing = useRef<HTMLButtonElement>(null)
  // The button that had the focus is gone.
  useEffect(() => closing.current?.focus(), [])
  const failures = requests.flatMap((request) => {
    const decision = results.get(request.public_id)
    return decision?.kind === 'failed' ? [{ request, message: decision.message }] : []
  })
  const done = number(requests.length - failures.length)
  return (
    <Stack>
      <Text fw={600} role="status">
        {isApproval ? words.resultApproved(done) : words.resultRejected(done)}
        {failures.length > 0 && ` · ${words.resultFailed(number(failures.length))}`}
      </Text>
      {failures.length > 0 && (
        // Long lists scroll, by keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <ul className={classes.failures} aria-label={words.resultFailed(number(failures.length))} tabIndex={0}>
          {failures.map(({ request, message }) => (
            <li key={request.public_id}>
              <span dir="auto">{request.name}</span>
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      <Group justify="flex-end">
        <Button ref={closing} onClick={onClose}>
          {common.close}
        </Button>
      </Group>
    </Stack>
  )
}

export default BulkDialog
