import { render } from 'preact'
import { loadClockOffset, startMinuteTicks } from '../base/clock.ts'
import { readSetting } from '../base/database.ts'
import { applyLanguage, wordsOf } from '../base/language.ts'
import { chosenEvents, pairedDevice, isMuted, isRevoked } from '../base/state.ts'
import { loadScanLog } from '../queue/scan-log.ts'
import { forgetLastCode, setCodeListener } from '../scan/camera.ts'
import { listenForKeyboardScanner } from '../scan/keyboard-scanner.ts'
import { deleteOldEvents, loadEvents } from '../snapshot/events.ts'
import { loadPin } from '../supervisor/pin.ts'
import { unlockAudio } from '../verdict/sounds.ts'
import { App } from './app.tsx'
import './door.css'
import './verdict.css'
import { applyColorScheme } from './more-view.tsx'
import { pendingPairingCode, readPairingFromAddress } from './pairing-code.ts'
import { lastScanAt, handleCameraCode, handleReadings } from './scanning.ts'
import { requestPersistentStorage, syncNow, startBackgroundWork } from './staying-alive.ts'
import { registerServiceWorker } from './update.ts'
import { words } from './words.ts'

const VERSION = import.meta.env.VITE_FOYER_BUILD ?? 'dev'

const root = document.getElementById('root')!

const openSettings = async () => {
  const [look, muted, paired, revoked] = await Promise.all([
    readSetting('look'),
    readSetting('isMuted'),
    readSetting('device'),
    readSetting('isRevoked'),
  ])
  applyColorScheme(look ?? 'dark')
  isMuted.value = muted ?? false
  pairedDevice.value = paired ?? null
  isRevoked.value = revoked ?? false
}

/** Every ticket can be found before anything is shown: the first scan is judged like every other. */
const open = async () => {
  applyLanguage()
  await Promise.all([openSettings(), loadClockOffset(), loadScanLog(), loadPin(), loadEvents()])
  await deleteOldEvents().catch(() => undefined)
}

const start = () => {
  readPairingFromAddress()
  addEventListener('hashchange', readPairingFromAddress)
  const onPaired = () => {
    // A ticket that was held before the camera all the while was taken for a code to pair with.
    forgetLastCode()
    void requestPersistentStorage()
    syncNow(VERSION)
  }
  render(<App version={VERSION} onPaired={onPaired} />, root)

  listenForKeyboardScanner((readings) => {
    if (pairedDevice.value) void handleReadings(readings)
    else pendingPairingCode.value = readings[0] ?? null
  })
  setCodeListener((text) => {
    // What a ticket is for can be judged by a phone that knows where it stands.
    if (pairedDevice.value) return chosenEvents.value.length > 0 && handleCameraCode(text)
    pendingPairingCode.value = text
    return true
  })
  addEventListener('pointerdown', unlockAudio)
  addEventListener('keydown', unlockAudio)
  startMinuteTicks()
  startBackgroundWork(VERSION)
  void requestPersistentStorage()
  syncNow(VERSION)
  registerServiceWorker(() => lastScanAt.value).catch(() => undefined)
}

const ElsewhereView = ({ onHere }: { onHere: () => void }) => {
  const w = wordsOf(words)
  return (
    <main class="pairing">
      <h1>{w.elsewhere}</h1>
      <button type="button" class="main" onClick={onHere}>
        {w.here}
      </button>
    </main>
  )
}

/** One tab at a time has the queue; another one takes it over when that is gone, or when somebody says so. */
const takeDoor = (options: LockOptions): void => {
  navigator.locks
    .request('foyer-door-page', options, async (lock) => {
      if (!lock) return offerDoor()
      // Nobody can ask for it any more.
      render(null, root)
      await open()
      start()
      await new Promise(() => {})
    })
    .catch((error: unknown) => {
      if (options.signal?.aborted) return
      // Taken over by another tab: this one forgets what it knew.
      if (error instanceof DOMException && error.name === 'AbortError') location.reload()
      else throw error
    })
}

const offerDoor = () => {
  applyLanguage()
  const waiting = new AbortController()
  const takeOver = () => {
    // Touched once: a second time would take it from oneself.
    render(null, root)
    waiting.abort()
    takeDoor({ steal: true })
  }
  render(<ElsewhereView onHere={takeOver} />, root)
  takeDoor({ signal: waiting.signal })
}

takeDoor({ ifAvailable: true })
