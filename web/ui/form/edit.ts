import { useCallback, useRef, useState } from 'react'
import { isRefusal } from '../../api/client.ts'
import { useLatest } from '../latest.ts'
import { faultsByField } from '../refusal-words.ts'

const PREFIX = 'foyer.edit.'

/** What was typed, and of which version of the thing. */
interface KeptEdit<T> {
  version: number
  /** What was there before, of everything that was changed. */
  before: Partial<T>
  changes: Partial<T>
}

export interface SavedVersion<T> {
  value: T
  version: number
}

interface EditOptions<T> extends SavedVersion<T> {
  /** The name under which what was typed is kept in the tab. */
  name: string
  save: (value: T, changed: readonly (keyof T & string)[], version: number) => Promise<unknown>
  /** The thing as it is now, for when somebody else has changed it meanwhile. */
  reload?: () => Promise<SavedVersion<T>>
  /** Saving makes it: nothing of the form is left then. */
  isNew?: boolean
}

/** Fields that two people have changed at the same time. */
export interface EditConflict<T> extends SavedVersion<T> {
  keys: readonly (keyof T & string)[]
}

export interface EditState<T> {
  value: T
  set: <Key extends keyof T & string>(key: Key, value: T[Key]) => void
  isChanged: boolean
  isSaving: boolean
  /** What is wrong by field, as the server says it. */
  faults: Readonly<Record<string, string>>
  /** What was thrown last, where it says more than the faults do. */
  error: unknown
  conflict: EditConflict<T> | null
  /** Resolves to whether it was saved. What is already on its way is not sent twice. */
  save: () => Promise<boolean>
  discard: () => void
  /** Gives one's own change of a field up for what somebody else has made of it. */
  takeTheirs: (key: keyof T & string) => void
  /** Saves one's own changes over those of the others, who have been seen. */
  keepMine: () => Promise<boolean>
}

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const readKept = <T>(key: string): KeptEdit<T> | null => {
  const text = sessionStorage.getItem(key)
  return text === null ? null : (JSON.parse(text) as KeptEdit<T>)
}

const writeKept = (key: string, kept: KeptEdit<unknown> | null) => {
  if (kept) sessionStorage.setItem(key, JSON.stringify(kept))
  else sessionStorage.removeItem(key)
}

const without = <T>(part: Partial<T>, key: keyof T): Partial<T> =>
  Object.fromEntries(Object.entries(part).filter(([each]) => each !== key)) as Partial<T>

/** What was typed after something had been sent, over what was sent. */
const typedSince = <T>(sent: KeptEdit<T>, now: KeptEdit<T> | null): KeptEdit<T> | null => {
  const since: KeptEdit<T> = { version: sent.version, before: {}, changes: {} }
  for (const key of Object.keys({ ...sent.changes, ...now?.changes }) as (keyof T)[]) {
    const saved = key in sent.changes ? sent.changes[key] : now!.before[key]
    const typed = now && key in now.changes ? now.changes[key] : sent.before[key]
    if (isSame(saved, typed)) continue
    since.before[key] = saved
    since.changes[key] = typed
  }
  return Object.keys(since.changes).length === 0 ? null : since
}

/**
 * A form over something that others may change too. What was typed is kept in the tab until it is saved or given up. A
 * change that somebody else made to other fields goes unnoticed; of the same field both are shown.
 */
export const useEdit = <T extends object>(options: EditOptions<T>): EditState<T> => {
  const storageKey = PREFIX + options.name
  const [kept, setKept] = useState(() => readKept<T>(storageKey))
  const [error, setError] = useState<unknown>(null)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [conflict, setConflict] = useState<EditConflict<T> | null>(null)
  const [isSaving, setIsSaving] = useState(false)

  /** As it is by now: what comes late, such as a picture that was on its way, must not undo what was typed since. */
  const keptNow = useRef(kept)
  const storedNow = useLatest<SavedVersion<T>>(options)
  const isSending = useRef(false)

  const keep = useCallback(
    (next: KeptEdit<T> | null) => {
      keptNow.current = next
      setKept(next)
      writeKept(storageKey, next)
    },
    [storageKey],
  )

  const set: EditState<T>['set'] = (key, value) => {
    const { value: stored, version } = storedNow.current
    const base: KeptEdit<T> = keptNow.current ?? { version, before: {}, changes: {} }
    const isBack = isSame(value, key in base.before ? base.before[key] : stored[key])
    const changes = isBack ? without(base.changes, key) : { ...base.changes, [key]: value }
    const before = isBack ? without(base.before, key) : { [key]: stored[key], ...base.before }
    keep(Object.keys(changes).length === 0 ? null : { ...base, before, changes })
    setFaults((known) => Object.fromEntries(Object.entries(known).filter(([each]) => !each.startsWith(key))))
    setError(null)
  }

  const finish = (left: KeptEdit<T> | null) => {
    keep(left)
    setConflict(null)
    setFaults({})
    setError(null)
  }

  /** Whose changes do not touch ours are taken along; others are shown. */
  const meet = async (ours: KeptEdit<T>, isAgain: boolean): Promise<boolean> => {
    const { value: theirs, version } = await options.reload!()
    const keys = (Object.keys(ours.changes) as (keyof T & string)[]).filter(
      (key) => !isSame(theirs[key], ours.before[key]) && !isSame(theirs[key], ours.changes[key]),
    )
    keep({ ...(keptNow.current ?? ours), version })
    if (keys.length === 0 && !isAgain) return send({ ...ours, version }, theirs, true)
    setConflict({ keys, value: theirs, version })
    return false
  }

  /** Over what is known to be stored, since some send all of it. */
  const send = async (ours: KeptEdit<T>, stored: T, isAgain = false): Promise<boolean> => {
    isSending.current = true
    setIsSaving(true)
    try {
      const changed = Object.keys(ours.changes) as (keyof T & string)[]
      await options.save({ ...stored, ...ours.changes }, changed, ours.version)
      finish(options.isNew ? null : typedSince(ours, keptNow.current))
      return true
    } catch (thrown) {
      if (options.reload && isRefusal(thrown, 'conflict')) return await meet(ours, isAgain)
      setError(thrown)
      setFaults(faultsByField(thrown))
      return false
    } finally {
      isSending.current = false
      setIsSaving(false)
    }
  }

  const takeTheirs = (key: keyof T & string) => {
    if (!kept || !conflict) return
    const changes = without(kept.changes, key)
    keep(Object.keys(changes).length === 0 ? null : { ...kept, changes, before: without(kept.before, key) })
    const keys = conflict.keys.filter((each) => each !== key)
    setConflict(keys.length === 0 ? null : { ...conflict, keys })
  }

  const ours: KeptEdit<T> = kept ?? { version: options.version, before: {}, changes: {} }
  return {
    value: kept ? { ...options.value, ...kept.changes } : options.value,
    set,
    isChanged: kept !== null,
    isSaving,
    faults,
    error,
    conflict,
    save: async () => !isSending.current && send(ours, options.value),
    discard: () => finish(null),
    takeTheirs,
    keepMine: async () => {
      setConflict(null)
      return !isSending.current && send(ours, conflict?.value ?? options.value)
    },
  }
}
