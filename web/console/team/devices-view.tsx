import { Badge, Button, FileButton, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, lazy, useMemo, useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useFormat } from '../../ui/format.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { containsAllWords } from '../../ui/match-text.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { deviceWords } from './device-words.ts'
import { devicesQuery, handInScans, revokeDevice } from './queries.ts'
import { type DeviceRow, UnreadableScans, deviceRowsOf, parseSavedScans } from './rules.ts'
import classes from './team.module.css'
import { teamWords } from './words.ts'

const PairingDialog = lazy(() => import('./pairing-dialog.tsx'))

const SEARCH_FROM = 12

const useDeviceRows = () => {
  const devices = useQuery(devicesQuery)
  const rows = useMemo(() => devices.data && deviceRowsOf(devices.data), [devices.data])
  return { ...devices, rows }
}

/** What the door works with: who was heard of when, what is not sent yet, and a code for more of them. */
export const DevicesView = () => {
  const words = useWords(deviceWords)
  const team = useWords(teamWords)
  const common = useWords(commonWords)
  const { rows, error, isPending, refetch } = useDeviceRows()
  const [isPairing, setIsPairing] = useState(false)
  const [revoking, setRevoking] = useState<DeviceRow | null>(null)
  const [text, setText] = useState('')
  usePageTitle(team.tabs.devices, team.team)
  useShortcuts([{ keys: 'n', label: team.keys.pair, run: () => setIsPairing(true) }])
  const shown = useMemo(() => rows?.filter(({ name }) => containsAllWords(name, text)), [rows, text])
  if (isPending) return <LoadingRows />
  if (!rows || !shown) return <ErrorState error={error} onRetry={() => void refetch()} />
  const pairButton = <Button onClick={() => setIsPairing(true)}>{words.pair}</Button>
  const inUse = rows.filter(({ revoked_at }) => revoked_at === null).length
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState title={words.none} action={pairButton}>
          {words.noneMore}
        </EmptyState>
      ) : (
        <section className={classes.section} aria-label={words.list}>
          <div className={classes.sectionHead}>
            <Title order={2} size="lg">
              {words.count(inUse)}
            </Title>
            {pairButton}
          </div>
          {rows.length >= SEARCH_FROM && <SearchField label={words.search} text={text} onText={setText} />}
          {shown.length === 0 && <p className={classes.quiet}>{common.palette.none}</p>}
          <VirtualList
            items={shown}
            keyOf={({ id }) => String(id)}
            label={words.list}
            estimate={70}
            renderRow={(row) => <DeviceLine row={row} onRevoke={() => setRevoking(row)} />}
          />
        </section>
      )}
      {isPairing && (
        <Suspense>
          <PairingDialog onClose={() => setIsPairing(false)} />
        </Suspense>
      )}
      {revoking && <RevokeDialog row={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

const DeviceLine = ({ row, onRevoke }: { row: DeviceRow; onRevoke: () => void }) => {
  const words = useWords(deviceWords)
  const { date, number } = useFormat()
  const { account } = useSession()
  const at = (iso: string) => date(iso, account.time_zone, 'moment')
  const isRevoked = row.revoked_at !== null
  return (
    <div className={classes.row}>
      <div className={classes.rowMain}>
        <span className={classes.rowName} dir="auto">
          {row.name}
        </span>
        <span className={classes.rowFacts}>
          <span>{row.lastSeenAt === null ? words.neverSeen : words.lastSeen(at(row.lastSeenAt))}</span>
          {row.revoked_at !== null && <span>{words.revokedAt(at(row.revoked_at))}</span>}
          {!isRevoked && <Unsent row={row} show={number} />}
          {!isRevoked && row.snapshotAt !== null && <span>{words.snapshotOf(at(row.snapshotAt))}</span>}
          {row.appVersion !== null && <span>{words.version(row.appVersion)}</span>}
        </span>
      </div>
      {isRevoked && (
        <>
          <Badge variant="light" color="gray" tt="none" radius="sm">
            {words.revoked}
          </Badge>
          <div className={classes.rowTools}>
            <HandInButton row={row} />
          </div>
        </>
      )}
      {!isRevoked && (
        <div className={classes.rowTools}>
          <Button
            size="compact-md"
            variant="subtle"
            color="bad"
            aria-label={words.revokeOf(row.name)}
            onClick={onRevoke}
          >
            {words.revoke}
          </Button>
        </div>
      )}
    </div>
  )
}

/** What a revoked device could not send, from the file that it has saved. */
const HandInButton = ({ row }: { row: DeviceRow }) => {
  const words = useWords(deviceWords)
  const { number } = useFormat()
  const handing = useMutation({
    mutationFn: async (file: File) => handInScans(row.id, parseSavedScans(await file.text())),
    onSuccess: ({ redemption_attempts: judged }) => {
      const accepted = judged.filter(({ result }) => result === 'accepted').length
      showToast(words.handedIn(judged.length, number(judged.length), number(accepted)))
    },
    onError: (error) => showErrorToast(error instanceof UnreadableScans ? words.unreadable : refusalSentence(error)),
  })
  return (
    <FileButton accept=".json,application/json" onChange={(file) => file && handing.mutate(file)}>
      {(props) => (
        <Button
          {...props}
          size="compact-md"
          variant="default"
          aria-label={words.handInOf(row.name)}
          loading={handing.isPending}
        >
          {words.handIn}
        </Button>
      )}
    </FileButton>
  )
}

const Unsent = ({ row: { unsent }, show }: { row: DeviceRow; show: (count: number) => string }) => {
  const words = useWords(deviceWords)
  if (unsent === null) return <span>{words.unsentUnknown}</span>
  if (unsent === 0) return <span>{words.noneUnsent}</span>
  return <span className={classes.urgent}>{words.unsent(unsent, show(unsent))}</span>
}

const RevokeDialog = ({ row, onClose }: { row: DeviceRow; onClose: () => void }) => {
  const words = useWords(deviceWords)
  const { number } = useFormat()
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      title={words.sure(row.name)}
      confirmLabel={words.revokeNow}
      act={async () => {
        await revokeDevice(row.id)
        await queries.invalidateQueries({ queryKey: devicesQuery.queryKey })
      }}
      onDone={() => showToast(words.revokedNow(row.name))}
      onClose={onClose}
    >
      <Text>{words.more}</Text>
      {row.unsent === null && <Text>{words.unsentUnknownMore}</Text>}
      {row.unsent !== null && row.unsent > 0 && (
        <Text c="var(--warn)">{words.unsentMore(row.unsent, number(row.unsent))}</Text>
      )}
    </ConfirmDialog>
  )
}
