import { Button, CloseButton } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { commonWords } from './common-words.ts'
import classes from './toasts.module.css'
import { useWords } from './words.ts'

interface Toast {
  id: number
  message: string
  isBad: boolean
  action: ToastAction | null
}

/** What can still be done about it, as long as it is shown. */
export interface ToastAction {
  label: string
  run: () => void
}

const SHOWN_MS = 6_000
/** Whoever is to decide something needs longer. */
const ACTION_MS = 12_000
const SHOWN_MAX = 4

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

const change = (next: readonly Toast[]) => {
  toasts = next.slice(-SHOWN_MAX)
  for (const listener of listeners) listener()
}

const drop = (id: number) => change(toasts.filter((toast) => toast.id !== id))

const show = (message: string, isBad: boolean, action: ToastAction | null = null) => {
  change([...toasts, { id: ++lastId, message, isBad, action }])
}

/** A short word that something was done; it goes away by itself. */
export const showToast = (message: string, action?: ToastAction) => show(message, false, action)

/** The same for what could not be done and belongs to no field; `refusalSentence` has the words for a refusal. */
export const showErrorToast = (message: string) => show(message, true)

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const listenToFullScreen = (listener: () => void) => {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** Where toasts appear, and from where they are read out. Of a page in full screen only what fills it can be seen. */
export const Toasts = () => {
  const shown = useSyncExternalStore(listen, () => toasts)
  const screen = useSyncExternalStore(listenToFullScreen, () => document.fullscreenElement)
  const list = (
    <div className={classes.toasts} role="status" aria-live="polite">
      {shown.map((toast) => (
        <ShownToast key={toast.id} toast={toast} />
      ))}
    </div>
  )
  return screen ? createPortal(list, screen) : list
}

/** It does not go away under somebody's pointer, nor while it has the focus. */
const ShownToast = ({ toast: { id, message, isBad, action } }: { toast: Toast }) => {
  const words = useWords(commonWords)
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const isHeld = isPointedAt || hasFocus
  const shownFor = action ? ACTION_MS : SHOWN_MS
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => drop(id), shownFor)
    return () => clearTimeout(timer)
  }, [id, isHeld, shownFor])

  return (
    <div
      className={classes.toast}
      data-bad={isBad || undefined}
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => setIsPointedAt(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      {/* A sentence of ours, whatever the name is that it begins with. */}
      <span className={classes.message}>{message}</span>
      {action && (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            drop(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <CloseButton size="sm" aria-label={words.close} onClick={() => drop(id)} />
    </div>
  )
}
