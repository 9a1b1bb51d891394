import { CloseButton } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { commonWords } from './common-words.ts'
import classes from './toasts.module.css'
import { useWords } from './words.ts'

interface Toast {
  id: number
  message: string
  isBad: boolean
}

const SHOWN_MS = 6_000
const SHOWN_MAX = 4

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

const change = (next: readonly Toast[]) => {
  toasts = next.slice(-SHOWN_MAX)
  for (const listener of listeners) listener()
}

const drop = (id: number) => change(toasts.filter((toast) => toast.id !== id))

const show = (message: string, isBad: boolean) => {
  const id = ++lastId
  change([...toasts, { id, message, isBad }])
  setTimeout(() => drop(id), SHOWN_MS)
}

/** A short word that something was done; it goes away by itself. */
export const say = (message: string) => show(message, false)

/** The same for what could not be done and belongs to no field; `refusalSentence` has the words for a refusal. */
export const sayFault = (message: string) => show(message, true)

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
      {shown.map(({ id, message, isBad }) => (
        <div key={id} className={classes.toast} data-bad={isBad || undefined}>
          <span>{message}</span>
          <CloseButton size="sm" aria-label={words.close} onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  )
}
