import { Accessibility, StyleInjector } from '@dnd-kit/dom'
import { DragDropProvider } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { ActionIcon, Menu } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { HandleIcon } from '../icons.tsx'
import { pageNonce } from '../nonce.ts'
import { useWords } from '../words.ts'
import classes from './sortable-list.module.css'
import { sortableWords } from './words.ts'

interface SortableListProps<T, Key extends number | string> {
  items: readonly T[]
  keyOf: (item: T) => Key
  nameOf: (item: T) => string
  /** What the list is of, for those who hear it. */
  label: string
  /** To a position from 1. */
  onMove: (key: Key, position: number) => void
  renderRow: (item: T) => ReactNode
}

/** A list whose order is dragged, or moved from a menu. */
export const SortableList = <T, Key extends number | string>({
  items,
  keyOf,
  nameOf,
  label,
  onMove,
  renderRow,
}: SortableListProps<T, Key>) => {
  const plugins = usePlugins()
  return (
    <DragDropProvider
      plugins={plugins}
      onDragEnd={({ canceled, operation: { source } }) => {
        if (canceled || !isSortable(source) || source.index === source.initialIndex) return
        onMove(source.id as Key, source.index + 1)
      }}
    >
      <ol className={classes.list} aria-label={label}>
        {items.map((item, index) => (
          <SortableRow
            key={keyOf(item)}
            id={keyOf(item)}
            index={index}
            count={items.length}
            name={nameOf(item)}
            onMove={(position) => onMove(keyOf(item), position)}
          >
            {renderRow(item)}
          </SortableRow>
        ))}
      </ol>
    </DragDropProvider>
  )
}

type Announcements = NonNullable<NonNullable<ConstructorParameters<typeof Accessibility>[1]>['announcements']>

/** What the library knows of a row beside its ID. */
interface RowData {
  name: string
  count: number
}

const dataOf = (thing: { data: object } | null | undefined) => (thing?.data ?? { name: '', count: 0 }) as RowData

/** The library speaks of IDs; people are told names. Its styles carry the nonce of the page. */
const usePlugins = () => {
  const words = useWords(sortableWords)
  return useMemo(() => {
    const announcements: Announcements = {
      dragstart: ({ operation: { source } }) => words.taken(dataOf(source).name),
      dragover: ({ operation: { source, target } }) => words.over(dataOf(source).name, dataOf(target).name),
      dragend: ({ operation: { source } }) =>
        isSortable(source) ? words.dropped(dataOf(source).name, source.index + 1, dataOf(source).count) : undefined,
    }
    const speaking = Accessibility.configure({
      screenReaderInstructions: { draggable: words.instructions },
      announcements,
    })
    const replace: Plugins = (defaults) => [
      ...defaults.filter((plugin) => plugin !== Accessibility && plugin !== StyleInjector),
      speaking,
      StyleInjector.configure({ nonce: pageNonce() }),
    ]
    return replace
  }, [words])
}

type Plugins = Extract<Parameters<typeof DragDropProvider>[0]['plugins'], (...given: never) => unknown>

interface SortableRowProps {
  id: number | string
  index: number
  count: number
  name: string
  onMove: (position: number) => void
  children: ReactNode
}

const SortableRow = ({ id, index, count, name, onMove, children }: SortableRowProps) => {
  const words = useWords(sortableWords)
  const { ref, handleRef, isDragging } = useSortable({ id, index, data: { name, count } })
  return (
    <li ref={ref} className={classes.row} data-dragging={isDragging || undefined}>
      <Menu withinPortal={false} position="bottom-start" shadow="md">
        <div className={classes.handles}>
          <button ref={handleRef} type="button" className={classes.handle} aria-label={words.handle(name)}>
            <HandleIcon />
          </button>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={words.moveMenu(name)} disabled={count < 2}>
              ↕
            </ActionIcon>
          </Menu.Target>
        </div>
        <Menu.Dropdown>
          <Menu.Item disabled={index === 0} onClick={() => onMove(index)}>
            {words.up}
          </Menu.Item>
          <Menu.Item disabled={index === count - 1} onClick={() => onMove(index + 2)}>
            {words.down}
          </Menu.Item>
          <Menu.Divider />
          {Array.from({ length: Math.min(count, POSITIONS_MAX) }, (_, at) => (
            <Menu.Item key={at} disabled={at === index} onClick={() => onMove(at + 1)}>
              {words.to(at + 1)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <div className={classes.content}>{children}</div>
    </li>
  )
}

/** More are reached by dragging, or step by step. */
const POSITIONS_MAX = 20
