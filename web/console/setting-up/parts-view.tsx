import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { PlusIcon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { SortableList } from '../../ui/sortable/sortable-list.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { partWords } from './part-words.ts'
import { invalidateEventQueries } from './queries.ts'
import classes from './setting-up.module.css'

interface Part {
  id: number
}

interface PartsViewProps<T extends Part> {
  query: UseQueryResult<T[]>
  words: { list: string; add: string; none: string; noneMore: string }
  nameOf: (part: T) => string
  renderFacts: (part: T) => ReactNode
  renderForm: (part: T | null, close: () => void) => ReactNode
  move: (id: number, position: number) => Promise<unknown>
}

/** What is being changed stands in the address. */
const useEdited = () => {
  const { edit } = useSearch({ strict: false })
  const navigate = useNavigate()
  const open = (next: string | undefined) =>
    void navigate({ to: '.', search: (before) => ({ ...before, edit: next }), resetScroll: false })
  return [edit ?? null, open] as const
}

/** Parts of an event in their order: each is opened where it stands. */
export const PartsView = <T extends Part>({
  query,
  words,
  nameOf,
  renderFacts,
  renderForm,
  move,
}: PartsViewProps<T>) => {
  const [edited, open] = useEdited()
  const { order, moveTo, refusals } = useOrder(move)
  const close = () => open(undefined)
  useShortcuts([{ keys: 'n', label: words.add, run: () => open('new') }])

  if (query.isPending) return <LoadingRows rows={3} height={48} />
  if (query.isError && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const parts = order ? inOrder(query.data ?? [], order) : (query.data ?? [])
  const add = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => open('new')}>
      {words.add}
    </Button>
  )
  return (
    <>
      {parts.length === 0 && edited !== 'new' && (
        <EmptyState title={words.none} action={add}>
          {words.noneMore}
        </EmptyState>
      )}
      {parts.length > 0 && (
        <>
          <div className={classes.toolbar}>{add}</div>
          <SortableList
            // Dragging has moved the rows themselves; after a refusal they are drawn anew in their old order.
            key={refusals}
            items={parts}
            keyOf={({ id }) => id}
            nameOf={nameOf}
            label={words.list}
            onMove={(id, position) =>
              void moveTo(
                parts.map((part) => part.id),
                id,
                position,
              )
            }
            renderRow={(part) => (
              <PartRow
                name={nameOf(part)}
                facts={renderFacts(part)}
                isOpen={edited === String(part.id)}
                onToggle={() => open(edited === String(part.id) ? undefined : String(part.id))}
              >
                {renderForm(part, close)}
              </PartRow>
            )}
          />
        </>
      )}
      {edited === 'new' && (
        <section className={classes.card} aria-label={words.add}>
          <h2 className={classes.sectionTitle}>{words.add}</h2>
          {renderForm(null, close)}
        </section>
      )}
    </>
  )
}

const inOrder = <T extends Part>(parts: readonly T[], order: readonly number[]): T[] =>
  parts.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id))

/**
 * The order is shown as it was wished for, and taken back where the server refuses it. Moves go to the server one after
 * the other: each means the order that the one before has left.
 */
const useOrder = (move: (id: number, position: number) => Promise<unknown>) => {
  const queries = useQueryClient()
  const [order, setOrder] = useState<readonly number[] | null>(null)
  const [refusals, setRefusals] = useState(0)
  const moving = useRef<Promise<void>>(Promise.resolve())
  const moveAfter = async (before: Promise<void>, id: number, position: number) => {
    await before
    try {
      await move(id, position)
      await invalidateEventQueries(queries)
    } catch (error) {
      showErrorToast(refusalSentence(error))
      setRefusals((count) => count + 1)
    }
  }
  const moveTo = async (ids: readonly number[], id: number, position: number) => {
    setOrder(ids.filter((each) => each !== id).toSpliced(position - 1, 0, id))
    const own = moveAfter(moving.current, id, position)
    moving.current = own
    await own
    if (moving.current === own) setOrder(null)
  }
  return { order, moveTo, refusals }
}

interface PartRowProps {
  name: string
  facts: ReactNode
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}

const PartRow = ({ name, facts, isOpen, onToggle, children }: PartRowProps) => {
  const words = useWords(partWords)
  return (
    <>
      <div className={classes.part}>
        <button
          type="button"
          className={classes.partName}
          aria-expanded={isOpen}
          aria-label={words.change(name)}
          onClick={onToggle}
          dir="auto"
        >
          {name}
        </button>
        <span className={classes.partFacts}>{facts}</span>
      </div>
      {isOpen && children}
    </>
  )
}
