import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { wordsOf } from '../base/language.ts'
import {
  chosenEvents,
  pairedDevice,
  isOnline,
  isRevoked,
  isStorageBroken,
  isTokenUnknown,
  scanMode,
  unacknowledgedRejectedScans,
  unsentScans,
  currentView,
} from '../base/state.ts'
import { countTickets } from '../base/tickets.ts'
import { PairingView } from '../pairing/pairing-view.tsx'
import { RevokedView } from '../queue/revoked-view.tsx'
import { SearchView } from '../search/search-view.tsx'
import { SelfTestView } from '../self-test/self-test-view.tsx'
import { chooseEvents } from '../snapshot/events.ts'
import { EventsView } from '../snapshot/events-view.tsx'
import { ConflictsView } from '../supervisor/conflicts-view.tsx'
import { isUnlocked } from '../supervisor/pin.ts'
import { SetPinView, UnlockView } from '../supervisor/pin-view.tsx'
import { UndoView } from '../supervisor/undo-view.tsx'
import { isAudioUnlocked, unlockAudio, playVerdict } from '../verdict/sounds.ts'
import { CameraView } from './camera-view.tsx'
import { Header } from './header.tsx'
import { MoreView } from './more-view.tsx'
import { pendingPairingCode } from './pairing-code.ts'
import { closeVerdict, shownVerdict, handleReadings, scanKnownTicket, annulEntry, ticketIdToUndo } from './scanning.ts'
import { refreshSnapshotNow } from './staying-alive.ts'
import { activateWaitingUpdate, waitingUpdate } from './update.ts'
import { Verdict } from './verdict.tsx'
import { words } from './words.ts'

export const App = ({ version, onPaired }: { version: string; onPaired: () => void }) => (
  <main
    data-line={isOnline.value ? 'online' : 'offline'}
    data-queue={unsentScans.value.length}
    data-tickets={countTickets()}
  >
    <Inside version={version} onPaired={onPaired} />
  </main>
)

const Inside = ({ version, onPaired }: { version: string; onPaired: () => void }) => {
  // A new page knows nothing of what this one has in memory: names, scans that wait, the PIN.
  if (isRevoked.value) return <RevokedView onAgain={() => location.reload()} />
  if (!pairedDevice.value)
    return (
      <PairingView
        scanned={pendingPairingCode.value}
        camera={<CameraView />}
        onTaken={() => (pendingPairingCode.value = null)}
        onPaired={onPaired}
      />
    )
  return <Door version={version} />
}

const Door = ({ version }: { version: string }) => {
  const w = wordsOf(words)
  return (
    <>
      <h1 class="hidden-text">{chosenEvents.value[0]?.title ?? w.noEvent}</h1>
      <Header onEvents={() => (currentView.value = 'events')} />
      <Warnings />
      {scanMode.value === 'exit' && (
        <p class="exit-band" role="status">
          <strong>{w.exitModeOn}</strong>
          <button type="button" onClick={() => (scanMode.value = 'entry')}>
            {w.exitModeEnd}
          </button>
        </p>
      )}
      <CameraView />
      <TypedCode />
      <nav class="foot" aria-label={w.more}>
        <button type="button" onClick={() => (currentView.value = 'search')}>
          {w.search}
        </button>
        <button type="button" onClick={() => (currentView.value = 'more')}>
          {w.more}
          {unacknowledgedRejectedScans.value.length > 0 && (
            <span class="badge">{unacknowledgedRejectedScans.value.length}</span>
          )}
        </button>
      </nav>
      <Behind version={version} />
      <div aria-live="assertive" class="live">
        {shownVerdict.value && <Verdict shown={shownVerdict.value} />}
      </div>
    </>
  )
}

const Warnings = () => {
  const w = wordsOf(words)
  return (
    <div class="warnings" role="status">
      {isStorageBroken.value && <p class="bad">{w.storage}</p>}
      {isTokenUnknown.value && <p class="bad">{w.unrecognised}</p>}
      {waitingUpdate.value && (
        <p>
          {w.updateReady}{' '}
          <button type="button" onClick={activateWaitingUpdate}>
            {w.updateNow}
          </button>
        </p>
      )}
    </div>
  )
}

const TypedCode = () => {
  const w = wordsOf(words)
  const typed = useSignal('')
  return (
    <form
      class="typed"
      onSubmit={(event) => {
        event.preventDefault()
        const text = typed.value.trim()
        typed.value = ''
        unlockAudio()
        if (text) void handleReadings([text])
      }}
    >
      <label>
        <span class="hidden-text">{w.typed}</span>
        <input
          placeholder={w.typed}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          enterkeyhint="go"
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={typed.value.trim() === ''}>
        {w.letIn}
      </button>
    </form>
  )
}

/** What a steward may not do asks for the PIN first, where there is one. */
const GUARDED = new Set(['search', 'undo', 'conflicts', 'pin', 'events'])

const Behind = ({ version }: { version: string }) => {
  const close = () => {
    currentView.value = 'scan'
    ticketIdToUndo.value = null
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      if (shownVerdict.value) closeVerdict()
      else close()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  if (currentView.value === 'scan') return null
  if (GUARDED.has(currentView.value) && !isUnlocked.value) return <UnlockView onOpen={() => {}} onClose={close} />
  switch (currentView.value) {
    case 'search':
      return <SearchView onPick={(ticket) => void scanKnownTicket(ticket)} onClose={close} />
    case 'events':
      return (
        <EventsView
          onChoose={(slugs) => void chooseEvents(slugs).then(() => refreshSnapshotNow(version))}
          onClose={close}
        />
      )
    case 'undo':
      return (
        <UndoView
          only={ticketIdToUndo.value}
          onUndo={(ticket, reason) => void annulEntry(ticket, reason)}
          onClose={close}
        />
      )
    case 'conflicts':
      return <ConflictsView onClose={close} />
    case 'self-test':
      return (
        <SelfTestView
          playSound={() => {
            unlockAudio()
            playVerdict('in')
            return isAudioUnlocked()
          }}
          onClose={close}
        />
      )
    case 'pin':
      return <SetPinView onClose={close} />
    default:
      return <MoreView version={version} onClose={close} />
  }
}
