import { type ReactNode, Suspense, createContext, lazy, use, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLatest } from './latest.ts'
import type { Shortcut, ShortcutLayer } from './shortcuts.ts'

interface Keyboard {
  add: (layer: ShortcutLayer) => () => void
  showHelp: () => void
}

const KeyboardContext = createContext<Keyboard | null>(null)

/** Loaded when it is first asked for, as every dialog is. */
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx'))

const SEQUENCE_MS = 1_000

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) || isTextInput(target))

const isTextInput = (target: HTMLElement) =>
  target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit)$/.test(target.type)

/** Where Enter and Space already mean something. */
const isControl = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('a, button, [role="button"], [role="menuitem"], summary') !== null

const nameOf = (event: KeyboardEvent) => (event.metaKey || event.ctrlKey ? `mod+${event.key.toLowerCase()}` : event.key)

/** Hears every key once and hands it to the newest layer that knows it. */
export const KeyboardProvider = ({ children }: { children: ReactNode }) => {
  const layers = useRef<ShortcutLayer[]>([])
  const [help, setHelp] = useState<ShortcutLayer[] | null>(null)

  const keyboard = useMemo<Keyboard>(
    () => ({
      add: (layer) => {
        layers.current = [...layers.current, layer]
        return () => {
          layers.current = layers.current.filter((each) => each !== layer)
        }
      },
      showHelp: () => setHelp(layers.current),
    }),
    [],
  )

  useLayoutEffect(() => {
    let first: { key: string; at: number } | null = null
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return
      const key = nameOf(event)
      const typing = isTyping(event.target)
      const before = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : null
      first = typing ? null : { key, at: event.timeStamp }
      // A dialog has the keyboard to itself, but for what works everywhere while typing.
      const isInDialog = document.querySelector('[role="dialog"][aria-modal="true"]') !== null
      const known = layers.current.flatMap((layer) => layer.shortcuts()).toReversed()
      const meant = known.find(
        (each) =>
          (each.keys === before || each.keys === key) &&
          ((!typing && !isInDialog) || each.whileTyping === true) &&
          !(key === 'Enter' && isControl(event.target)),
      )
      if (!meant) return
      first = null
      event.preventDefault()
      meant.run(event)
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [])

  return (
    <KeyboardContext value={keyboard}>
      {children}
      {help && (
        <Suspense>
          <KeyboardHelp layers={help} onClose={() => setHelp(null)} />
        </Suspense>
      )}
    </KeyboardContext>
  )
}

export const useKeyboard = (): Keyboard => {
  const keyboard = use(KeyboardContext)
  if (!keyboard) throw new Error('There is no KeyboardProvider around this')
  return keyboard
}

/**
 * These keys work as long as the component is there; the newest layer wins. What can be seen hears its keys already, and
 * means what can be seen: later than with the layout a key that is pressed at once would be lost, or mean what stood
 * there before.
 */
export const useShortcuts = (shortcuts: readonly Shortcut[], name: ShortcutLayer['name'] = 'here') => {
  const { add } = useKeyboard()
  const current = useLatest(shortcuts)
  useLayoutEffect(() => add({ name, shortcuts: () => current.current }), [add, current, name])
}
