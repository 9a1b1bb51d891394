import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { wordsOf } from '../base/language.ts'
import { Panel } from '../base/panel.tsx'
import { PIN_PATTERN, hasPin, setPin, unlockSupervisor } from './pin.ts'
import { words } from './words.ts'

const DigitsForm = ({
  label,
  button,
  onDigits,
}: {
  label: string
  button: string
  onDigits: (digits: string) => Promise<void>
}) => {
  const digits = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const given = digits.value
        digits.value = ''
        void onDigits(given)
      }}
    >
      <label class="field">
        {label}
        <input
          ref={field}
          type="password"
          inputMode="numeric"
          autocomplete="off"
          maxLength={8}
          value={digits.value}
          onInput={(event) => (digits.value = event.currentTarget.value.replaceAll(/\D/g, ''))}
        />
      </label>
      <button type="submit" class="main" disabled={!PIN_PATTERN.test(digits.value)}>
        {button}
      </button>
    </form>
  )
}

/** Asks for the PIN before what a steward may not do. */
export const UnlockView = ({ onOpen, onClose }: { onOpen: () => void; onClose: () => void }) => {
  const w = wordsOf(words)
  const isWrong = useSignal(false)
  return (
    <Panel title={w.enterPin} close={w.back} onClose={onClose}>
      <DigitsForm
        label={w.enterPin}
        button={w.open}
        onDigits={async (digits) => {
          const isRight = await unlockSupervisor(digits)
          isWrong.value = !isRight
          if (isRight) onOpen()
        }}
      />
      <p role="alert">{isWrong.value && w.wrong}</p>
    </Panel>
  )
}

export const SetPinView = ({ onClose }: { onClose: () => void }) => {
  const w = wordsOf(words)
  return (
    <Panel title={hasPin.value ? w.changePin : w.setPin} close={w.back} onClose={onClose}>
      <p class="second">{w.pinFor}</p>
      <DigitsForm
        label={w.newPin}
        button={w.save}
        onDigits={async (digits) => {
          await setPin(digits)
          onClose()
        }}
      />
    </Panel>
  )
}
