import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { wordsOf } from '../base/language.ts'
import { needsHomeScreen } from '../base/platform.ts'
import { pairDevice, pairingSecretIn } from './pair-device.ts'
import { words } from './words.ts'

export const PairingView = ({
  scanned,
  camera,
  onTaken,
  onPaired,
}: {
  /** What came with the address or from the camera. */
  scanned: string | null
  /** It has been tried: the same may come again. */
  onTaken: () => void
  camera: ComponentChildren
  onPaired: () => void
}) => {
  const w = wordsOf(words)
  const typed = useSignal('')
  const state = useSignal<'idle' | 'pairing' | 'used_up' | 'no_answer' | 'notACode'>('idle')

  const pair = async (text: string) => {
    if (state.value === 'pairing') return
    const secret = pairingSecretIn(text)
    if (secret === null) {
      state.value = 'notACode'
      return
    }
    state.value = 'pairing'
    const outcome = await pairDevice(secret)
    if (outcome === 'paired') onPaired()
    else state.value = outcome
  }
  useEffect(() => {
    if (scanned !== null) void pair(scanned).then(onTaken)
  }, [scanned])

  return (
    <div class="pairing">
      <h1>{w.title}</h1>
      <p>{w.intro}</p>
      {needsHomeScreen() && <p class="hint">{w.ios}</p>}
      {camera}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void pair(typed.value)
        }}
      >
        <label class="field">
          {w.code}
          <input
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={typed.value}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main" disabled={typed.value.trim() === '' || state.value === 'pairing'}>
          {w.pair}
        </button>
      </form>
      <p role="alert">{state.value !== 'idle' && w[state.value]}</p>
    </div>
  )
}
