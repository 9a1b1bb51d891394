import { signal } from '@preact/signals'
import { serverNow } from '../base/clock.ts'
import { chosenEvents, pairedDevice, unsentScans } from '../base/state.ts'

/** A newer app is on the phone and waits. */
export const waitingUpdate = signal<ServiceWorker | null>(null)

const IDLE_MS = 5 * 60_000
const BEFORE_MS = 3 * 3_600_000
const LOOK_MS = 30 * 60_000

/** From three hours before the doors until it is over nobody is surprised by another app. */
const isNight = () => {
  const now = serverNow().getTime()
  return chosenEvents.value.some(
    ({ startsAt, endsAt }) => Date.parse(startsAt) - BEFORE_MS <= now && now <= Date.parse(endsAt),
  )
}

export const activateWaitingUpdate = (): void => {
  waitingUpdate.value?.postMessage('take over')
}

export const registerServiceWorker = async (lastScanAt: () => number): Promise<void> => {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const registration = await navigator.serviceWorker.register('/door/service-worker.js', {
    scope: '/door',
    updateViaCache: 'none',
  })
  const note = (worker: ServiceWorker | null) => {
    // The first one has nothing to replace.
    if (worker?.state === 'installed' && navigator.serviceWorker.controller) waitingUpdate.value = worker
  }
  const follow = ({ installing }: ServiceWorkerRegistration) =>
    installing?.addEventListener('statechange', () => note(installing))
  note(registration.waiting)
  // One that was found before anybody listened is on its way already.
  follow(registration)
  registration.addEventListener('updatefound', () => follow(registration))
  const hadOne = navigator.serviceWorker.controller !== null
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hadOne || waitingUpdate.value) location.reload()
  })
  setInterval(() => void registration.update().catch(() => undefined), LOOK_MS)
  setInterval(() => {
    const isIdle = Date.now() - lastScanAt() > IDLE_MS && unsentScans.value.length === 0
    if (waitingUpdate.value && isIdle && (!pairedDevice.value || !isNight())) activateWaitingUpdate()
  }, 30_000)
}
