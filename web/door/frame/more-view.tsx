import { chooseLanguage } from '../../ui/language.ts'
import { type Settings, writeSetting } from '../base/database.ts'
import { chosenLanguage, wordsOf } from '../base/language.ts'
import { Panel } from '../base/panel.tsx'
import { needsHomeScreen } from '../base/platform.ts'
import {
  chosenEvents,
  pairedDevice,
  isMuted,
  colorScheme,
  scanMode,
  unacknowledgedRejectedScans,
  currentView,
} from '../base/state.ts'
import { hasPin, isUnlocked, lockSupervisor } from '../supervisor/pin.ts'
import { words } from './words.ts'

const LOOKS = ['dark', 'light', 'system'] as const

export const applyColorScheme = (chosen: Settings['look']): void => {
  colorScheme.value = chosen
  if (chosen === 'system') delete document.documentElement.dataset['mantineColorScheme']
  else document.documentElement.dataset['mantineColorScheme'] = chosen
}

export const MoreView = ({ version, onClose }: { version: string; onClose: () => void }) => {
  const w = wordsOf(words)
  const go = (to: typeof currentView.value) => () => (currentView.value = to)
  const canExit = chosenEvents.value.some(({ reentry }) => reentry)
  return (
    <Panel title={w.more} close={w.back} onClose={onClose}>
      {needsHomeScreen() && <p class="hint">{w.ios}</p>}
      <div class="menu">
        <button type="button" onClick={go('events')}>
          {w.events}
        </button>
        <button type="button" onClick={go('undo')}>
          {w.undo}
        </button>
        <button type="button" onClick={go('conflicts')}>
          {w.conflicts(unacknowledgedRejectedScans.value.length)}
        </button>
        {canExit && scanMode.value === 'entry' && <ExitModeButton onDone={onClose} />}
        <button type="button" onClick={go('self-test')}>
          {w.selfTest}
        </button>
        <button type="button" onClick={go('pin')}>
          {w.pin}
        </button>
        {hasPin.value && isUnlocked.value && (
          <button type="button" onClick={lockSupervisor}>
            {w.lock}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            isMuted.value = !isMuted.value
            void writeSetting('isMuted', isMuted.value)
          }}
        >
          {isMuted.value ? w.muted : w.unmuted}
        </button>
        <button
          type="button"
          onClick={() => {
            const next = LOOKS[(LOOKS.indexOf(colorScheme.value) + 1) % LOOKS.length]!
            applyColorScheme(next)
            void writeSetting('look', next)
          }}
        >
          {w.look}: {w.looks[colorScheme.value]}
        </button>
        <button type="button" onClick={() => chooseLanguage(chosenLanguage() === 'en' ? 'de' : 'en')}>
          {w.language}
        </button>
      </div>
      <p class="second">
        {pairedDevice.value && w.device(pairedDevice.value.name, pairedDevice.value.accountName)}
        <br />
        {w.version(version)}
      </p>
    </Panel>
  )
}

/** Two touches, and then a band over everything: nobody is in it by accident. */
const ExitModeButton = ({ onDone }: { onDone: () => void }) => {
  const w = wordsOf(words)
  return (
    <details class="exit-mode">
      <summary>{w.exitMode}</summary>
      <p>{w.exitModeHow}</p>
      <button
        type="button"
        onClick={() => {
          scanMode.value = 'exit'
          onDone()
        }}
      >
        {w.exitModeStart}
      </button>
    </details>
  )
}
