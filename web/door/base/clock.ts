import { signal } from '@preact/signals'
import { readSetting, writeSetting } from './database.ts'

/** How much the server's clock is ahead of this phone's, which may be wrong by hours. */
export const clockOffsetMs = signal(0)

/** Less than this is the way of the answer. */
const TOLERANCE_MS = 2_000

export const loadClockOffset = async (): Promise<void> => {
  clockOffsetMs.value = (await readSetting('clockOffsetMs')) ?? 0
}

/** Every answer says what time it is. */
export const updateClockOffset = (dateHeader: string | null): void => {
  const at = dateHeader === null ? Number.NaN : Date.parse(dateHeader)
  if (Number.isNaN(at)) return
  const offset = at - Date.now()
  if (Math.abs(offset - clockOffsetMs.value) <= TOLERANCE_MS) return
  clockOffsetMs.value = Math.abs(offset) <= TOLERANCE_MS ? 0 : offset
  // A full disk does not matter here: the next answer tells it again.
  writeSetting('clockOffsetMs', clockOffsetMs.value).catch(() => undefined)
}

export const serverNow = (): Date => new Date(Date.now() + clockOffsetMs.value)

/** Ticks once a minute, for what shows an age. */
export const currentMinute = signal(Date.now())
export const startMinuteTicks = (): void => {
  setInterval(() => (currentMinute.value = Date.now()), 15_000)
}
