import { computed, signal } from '@preact/signals'
import { type PinHash, readSetting, writeSetting } from '../base/database.ts'

const pin = signal<PinHash | null>(null)
const unlockedUntil = signal(0)
const now = signal(Date.now())

export const hasPin = computed(() => pin.value !== null)
/** Whether a supervisor has said who they are, a little while ago. */
export const isUnlocked = computed(() => pin.value === null || unlockedUntil.value > now.value)

const UNLOCKED_MS = 3 * 60_000

export const loadPin = async (): Promise<void> => {
  pin.value = (await readSetting('pin')) ?? null
  setInterval(() => (now.value = Date.now()), 5_000)
}

const ROUNDS = 200_000

const hashOf = async (digits: string, salt: string): Promise<string> => {
  const bytes = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', bytes.encode(digits), 'PBKDF2', false, ['deriveBits'])
  const derived = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt: bytes.encode(salt), iterations: ROUNDS },
    key,
    256,
  )
  return Array.from(new Uint8Array(derived), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const PIN_PATTERN = /^\d{4,8}$/

export const setPin = async (digits: string): Promise<void> => {
  const salt = crypto.randomUUID()
  const made = { salt, hash: await hashOf(digits, salt) }
  await writeSetting('pin', made)
  pin.value = made
  lockSupervisor()
}

let failures = 0
let waitUntil = 0

/** Wrong ones cost time, more with each. */
export const unlockSupervisor = async (digits: string): Promise<boolean> => {
  if (pin.value === null) return true
  if (Date.now() < waitUntil) return false
  if ((await hashOf(digits, pin.value.salt)) !== pin.value.hash) {
    failures++
    if (failures >= 3) waitUntil = Date.now() + 5_000 * (failures - 2)
    return false
  }
  failures = 0
  now.value = Date.now()
  unlockedUntil.value = now.value + UNLOCKED_MS
  return true
}

export const lockSupervisor = (): void => {
  unlockedUntil.value = 0
}
