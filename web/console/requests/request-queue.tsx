import { Button } from '@mantine/core'
import {
  type ReactNode,
  Suspense,
  lazy,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useEventSummary } from '../../ui/event-summaries.ts'
import { useFormat } from '../../ui/format.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import type { Shortcut } from '../../ui/shortcuts.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import type { RequestListFilter } from './queries.ts'
import { RequestRow } from './request-row.tsx'
import classes from './requests.module.css'
import {
  type DecisionState,
  type SignupLink,
  type SignupRequest,
  findRequests,
  isDecided,
  nextUndecidedKey,
} from './rules.ts'
import { useRequestQueue } from './use-queue.ts'
import { requestWords } from './words.ts'

const BulkDialog = lazy(() => import('./bulk-dialog.tsx'))

const keyOf = ({ public_id }: SignupRequest) => public_id

const toggled = (set: ReadonlySet<string>, key: string) => set.symmetricDifference(new Set([key]))

interface RequestQueueProps {
  asked: RequestListFilter
  zone: string
  links: readonly SignupLink[]
  empty: ReactNode
  /** What is searched for among all of them. */
  text: string
  onText: (text: string) => void
}

/** The list itself: walked, picked and decided without leaving the keyboard. */
export const RequestQueue = ({ asked, zone, links, empty, text, onText }: RequestQueueProps) => {
  const words = useWords(requestWords)
  const common = useWords(commonWords)
  const { queue, error, hasRead, readMore, readAll, decideOne, approveAll, rejectAll, showArrivals } =
    useRequestQueue(asked)
  const { summary } = useEventSummary(asked.slug)
  const list = useRef<VirtualListHandle>(null)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [bulk, setBulk] = useState<'approved' | 'rejected' | null>(null)
  const [heard, setHeard] = useState('')
  const trail = useRef<string[]>([])
  const lastPicked = useRef<string | null>(null)
  const isWaiting = asked.status === 'pending'

  const read = useMemo(() => queue.keys.map((key) => queue.requests.get(key)!), [queue.keys, queue.requests])
  const wanted = useDeferredValue(text)
  const items = useMemo(() => findRequests(read, wanted), [read, wanted])
  const isSearching = wanted.trim() !== ''
  useEffect(() => {
    // Whoever searches means all of them, not only those that were read so far.
    if (isSearching && hasRead && queue.hasMore) void readAll()
  }, [isSearching, hasRead, queue.hasMore, readAll])

  /** As they are shown: ranges and steps go from row to row that one sees. */
  const current = useRef({ ...queue, keys: items.map(keyOf) })
  useEffect(() => {
    current.current = { ...queue, keys: items.map(keyOf) }
  })
  const linkNames = useMemo(
    () => new Map(links.map(({ public_id, name }) => [public_id, name ?? words.unnamed])),
    [links, words],
  )

  const toggle = useCallback((key: string) => setOpened((before) => toggled(before, key)), [])

  const pickRange = useCallback((keys: readonly string[]) => {
    const open = keys.filter((key) => !isDecided(current.current.decisions.get(key)))
    setPicked((before) => before.union(new Set(open)))
  }, [])

  const pick = useCallback(
    (key: string, isRange = false) => {
      const { keys, decisions } = current.current
      const from = lastPicked.current === null ? -1 : keys.indexOf(lastPicked.current)
      lastPicked.current = key
      if (isDecided(decisions.get(key))) return
      if (!isRange || from < 0) {
        setPicked((before) => toggled(before, key))
        return
      }
      const to = keys.indexOf(key)
      pickRange(keys.slice(Math.min(from, to), Math.max(from, to) + 1))
    },
    [pickRange],
  )

  const decide = useCallback(
    async (key: string, kind: 'approved' | 'rejected') => {
      const { keys, decisions, requests } = current.current
      const before = decisions.get(key)
      if (isDecided(before) || before?.kind === 'deciding') return
      trail.current.push(key)
      setPicked((all) => all.difference(new Set([key])))
      const next = nextUndecidedKey(keys, decisions, key)
      if (next !== null) list.current?.focus(next)
      const { name } = requests.get(key)!
      const decision = await decideOne(key, kind)
      setHeard(sentenceOf(words, name, decision))
    },
    [decideOne, words],
  )

  const decideAt = useCallback((key: string, kind: 'approved' | 'rejected') => void decide(key, kind), [decide])

  const decideActive = (kind: 'approved' | 'rejected') => {
    if (picked.size > 0) {
      setBulk(kind)
      return
    }
    const key = list.current?.activeKey()
    if (key) void decide(key, kind)
  }

  const shortcuts: Shortcut[] = isWaiting
    ? [
        { keys: 'a', label: words.keys.approve, run: () => decideActive('approved') },
        { keys: 'r', label: words.keys.reject, run: () => decideActive('rejected') },
        {
          keys: 'u',
          label: words.keys.undo,
          run: () => {
            const key = trail.current.pop()
            if (key) list.current?.focus(key)
          },
        },
        { keys: 'n', label: words.keys.arrivals, run: showArrivals },
      ]
    : []
  useShortcuts(shortcuts)

  const requestsPicked = read.filter(({ public_id }) => picked.has(public_id))
  const runBulk = async (onProgress: Parameters<typeof approveAll>[1]) => {
    const keys = requestsPicked.map(({ public_id }) => public_id)
    const decided = await (bulk === 'approved' ? approveAll : rejectAll)(keys, onProgress)
    trail.current.push(...keys)
    return decided
  }
  const closeBulk = () => {
    setBulk(null)
    // Those who were not reached stay picked, so that something else can be done about them.
    setPicked((before) => new Set([...before].filter((key) => !isDecided(queue.decisions.get(key)))))
  }

  const onNearEnd = useCallback(() => void readMore(), [readMore])

  if (!hasRead) return <LoadingRows />
  if (error !== null && read.length === 0) return <ErrorState error={error} onRetry={() => void readMore()} />
  if (read.length === 0 && queue.arrivals.length === 0) return empty
  return (
    <>
      {queue.arrivals.length > 0 && (
        <div className={classes.arrivals}>
          <Button variant="light" size="compact-md" onClick={showArrivals}>
            {words.arrivals(queue.arrivals.length)}
          </Button>
        </div>
      )}
      {isSearching && items.length === 0 && !queue.hasMore && (
        <EmptyState
          title={common.noneFound}
          action={
            <Button variant="default" onClick={() => onText('')}>
              {common.showAll}
            </Button>
          }
        >
          {common.noneFoundMore}
        </EmptyState>
      )}
      <VirtualList
        handle={list}
        items={items}
        keyOf={keyOf}
        label={words.list}
        estimate={74}
        picked={picked}
        {...(isWaiting && { onPick: pick, onPickRange: pickRange })}
        onNearEnd={onNearEnd}
        renderRow={(request, { isPicked }) => (
          <RequestRow
            request={request}
            zone={zone}
            linkName={links.length > 1 ? (linkNames.get(request.form_id) ?? null) : null}
            decision={queue.decisions.get(request.public_id)}
            isWaiting={isWaiting}
            isPicked={isPicked}
            isOpen={opened.has(request.public_id)}
            onToggle={toggle}
            onPick={pick}
            onDecide={decideAt}
          />
        )}
      />
      {queue.hasMore && (
        <div className={classes.more}>
          {error === null ? words.loadingMore : <ErrorState error={error} onRetry={() => void readMore()} />}
        </div>
      )}
      {picked.size > 0 && (
        <PickedBar
          count={picked.size}
          total={isSearching ? items.length : queue.waitingCount}
          onPickAll={async () => pickRange(isSearching ? items.map(keyOf) : await readAll())}
          onDecide={setBulk}
          onClear={() => setPicked(new Set())}
        />
      )}
      <div role="status" className={classes.heard}>
        {heard}
      </div>
      {bulk !== null && (
        <Suspense>
          <BulkDialog
            kind={bulk}
            requests={requestsPicked}
            links={links}
            ticketsLeft={summary?.stock_left}
            run={runBulk}
            onClose={closeBulk}
          />
        </Suspense>
      )}
    </>
  )
}

const sentenceOf = (
  words: Pick<typeof requestWords.en, 'saidApproved' | 'saidRejected' | 'saidFailed'>,
  name: string,
  decision: DecisionState,
): string => {
  if (decision.kind === 'approved') return words.saidApproved(name)
  if (decision.kind === 'rejected') return words.saidRejected(name)
  return decision.kind === 'failed' ? words.saidFailed(name, decision.message) : ''
}

interface PickedBarProps {
  count: number
  total: number
  onPickAll: () => Promise<void>
  onDecide: (kind: 'approved' | 'rejected') => void
  onClear: () => void
}

const PickedBar = ({ count, total, onPickAll, onDecide, onClear }: PickedBarProps) => {
  const words = useWords(requestWords)
  const common = useWords(commonWords)
  const { number } = useFormat()
  const [isReading, setIsReading] = useState(false)
  const pickAll = async () => {
    setIsReading(true)
    await onPickAll()
    setIsReading(false)
  }
  return (
    <div className={classes.pickedBar} role="status">
      <span>{common.picked(count)}</span>
      {count < total && (
        <Button size="compact-md" variant="subtle" loading={isReading} onClick={() => void pickAll()}>
          {words.pickAll(number(total))}
        </Button>
      )}
      <Button size="compact-md" onClick={() => onDecide('approved')}>
        {words.approve}
      </Button>
      <Button size="compact-md" variant="default" onClick={() => onDecide('rejected')}>
        {words.reject}
      </Button>
      <Button size="compact-md" variant="default" onClick={onClear}>
        {common.clear}
      </Button>
    </div>
  )
}
