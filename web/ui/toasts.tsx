import { Button, CloseButton } from '@mantine/core'
import { useSyncExternalStore } from 'react'
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
  const id = ++lastId
  change([...toasts, { id, message, isBad, action }])
  setTimeout(() => drop(id), action ? ACTION_MS : SHOWN_MS)
}

/** A short word that something was done; it goes away by itself. */
export const showToast = (message: string, action?: ToastAction) => show(message, false, action)

/** The same for what could not be done and belongs to no field; `refusalSentence` has the words for a refusal. */
export const showErrorToast = (message: string) => show(message, true)

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where toasts appear, and from where they are read out. */
export const Toasts = () => {
  const words = useWords(commonWords)
  const shown = useSyncExternalStore(listen, () => toasts)
  return (
    <div className={classes.toasts} role="status" aria-live="polite">
      {shown.map(({ id, message, isBad, action }) => (
        <div key={id} className={classes.toast} data-bad={isBad || undefined}>
          <span className={classes.message} dir="auto">
            {message}
          </span>
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
      ))}
    </div>
  )
}
