import type { Dictionary } from '../../ui/language.ts'
import { requestAsDevice } from '../base/ask.ts'
import { clockOffsetMs } from '../base/clock.ts'
import { readSetting, writeSetting } from '../base/database.ts'
import type { words } from './words.ts'

export type CheckName = 'camera' | 'sound' | 'storage' | 'clock' | 'line' | 'offline'
export interface CheckResult {
  isGood: boolean
  says: string
}

type Words = typeof words extends Dictionary<infer W> ? W : never
type Said = Words['said']

const camera = async (said: Said): Promise<CheckResult> => {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    const isLive = stream.getVideoTracks()[0]?.readyState === 'live'
    for (const track of stream.getTracks()) track.stop()
    return { isGood: isLive, says: isLive ? said.cameraGood : said.cameraBad }
  } catch {
    return { isGood: false, says: said.cameraBad }
  }
}

const storage = async (said: Said): Promise<CheckResult> => {
  try {
    await writeSetting('clockOffsetMs', (await readSetting('clockOffsetMs')) ?? 0)
    const { quota = 0, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {}
    const free = `${Math.round((quota - usage) / 1e6)} MB`
    const isLasting = (await navigator.storage?.persisted?.()) ?? false
    return { isGood: isLasting, says: isLasting ? said.storageGood(free) : said.storageWeak(free) }
  } catch {
    return { isGood: false, says: said.storageBad }
  }
}

const line = async (said: Said): Promise<CheckResult> => {
  const startedAt = performance.now()
  const answer = await requestAsDevice('/scanner/me', { timeoutMs: 5_000 }).catch(() => null)
  const ms = Math.round(performance.now() - startedAt)
  return { isGood: answer?.status === 200, says: answer?.status === 200 ? said.lineGood(ms) : said.lineBad }
}

const CLOCK_MS = 60_000

/** After the line, which tells what time it is. */
const clock = async (said: Said): Promise<CheckResult> => {
  const off = Math.abs(clockOffsetMs.value)
  return { isGood: off < CLOCK_MS, says: off < CLOCK_MS ? said.clockGood : said.clockBad(Math.round(off / 60_000)) }
}

const offline = async (said: Said): Promise<CheckResult> => {
  const isKept = (await caches.match('/door', { ignoreSearch: true })) !== undefined
  const isGood = isKept && Boolean(navigator.serviceWorker?.controller)
  return { isGood, says: isGood ? said.offlineGood : said.offlineBad }
}

/** Sound is played by whoever has it. */
export const selfTestChecks = (
  said: Said,
  playSound: () => boolean,
): { name: CheckName; run: () => Promise<CheckResult> }[] => [
  {
    name: 'sound',
    run: async () => {
      const isGood = playSound()
      return { isGood, says: isGood ? said.soundGood : said.soundBad }
    },
  },
  { name: 'camera', run: () => camera(said) },
  { name: 'storage', run: () => storage(said) },
  { name: 'line', run: () => line(said) },
  { name: 'clock', run: () => clock(said) },
  { name: 'offline', run: () => offline(said) },
]
