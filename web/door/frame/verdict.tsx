import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isAdmitting } from '../base/scan-record.ts'
import { currentView } from '../base/state.ts'
import { cameraState } from '../scan/camera.ts'
import { hasPin, isUnlocked } from '../supervisor/pin.ts'
import { UnlockView } from '../supervisor/pin-view.tsx'
import { type ShownVerdict, VerdictScreen } from '../verdict/verdict-screen.tsx'
import { admitTickets, closeVerdict, admitByOverride, shownVerdict as shownNow, ticketIdToUndo } from './scanning.ts'

const CLOSES_MS = 4_000

/** The verdict, with what may be done about it. */
export const Verdict = ({ shown }: { shown: ShownVerdict }) => {
  const { verdict, kind, ticket, number } = shown
  const isAsking = useSignal(false)
  useEffect(() => {
    isAsking.value = false
    if (verdict !== 'in' || cameraState.value !== 'on') return undefined
    // The next guest is aimed at through it, unless there is something to do.
    const timer = setTimeout(() => {
      if (shownNow.value?.number === number && !document.querySelector('.party')) closeVerdict()
    }, CLOSES_MS)
    return () => clearTimeout(timer)
  }, [number])

  if (isAsking.value && ticket && !isUnlocked.value)
    return <UnlockView onOpen={() => void admitByOverride(ticket)} onClose={() => (isAsking.value = false)} />

  const mayOverride =
    hasPin.value && kind === 'entry' && ticket !== null && !isAdmitting(verdict) && verdict !== 'wrong_event'
  const mayUndo = kind === 'entry' && isAdmitting(verdict) && ticket !== null
  return (
    <VerdictScreen
      shown={shown}
      onClose={closeVerdict}
      onAdmit={(tickets) => void admitTickets(tickets)}
      onOverride={
        mayOverride
          ? () => {
              if (isUnlocked.value) void admitByOverride(ticket)
              else isAsking.value = true
            }
          : null
      }
      onUndo={
        mayUndo
          ? () => {
              ticketIdToUndo.value = ticket.publicId
              closeVerdict()
              currentView.value = 'undo'
            }
          : null
      }
    />
  )
}
