import { type VerdictKind } from '../base/scan-record.ts'
import { isMuted } from '../base/state.ts'

/** Notes as [hertz, seconds]; letting in rises, refusing falls and growls. */
const MELODIES: Record<VerdictKind, { wave: OscillatorType; notes: [number, number][]; shakes: number[] }> = {
  in: {
    wave: 'sine',
    notes: [
      [880, 0.08],
      [1320, 0.14],
    ],
    shakes: [60],
  },
  in_note: {
    wave: 'sine',
    notes: [
      [880, 0.08],
      [1320, 0.1],
      [1760, 0.2],
    ],
    shakes: [60, 60, 200],
  },
  already: {
    wave: 'square',
    notes: [
      [330, 0.16],
      [0, 0.06],
      [330, 0.16],
    ],
    shakes: [200, 80, 200],
  },
  wrong_event: {
    wave: 'square',
    notes: [
      [440, 0.14],
      [294, 0.26],
    ],
    shakes: [300],
  },
  refused: { wave: 'sawtooth', notes: [[165, 0.5]], shakes: [500] },
  unpaid: {
    wave: 'square',
    notes: [
      [294, 0.12],
      [220, 0.12],
      [165, 0.24],
    ],
    shakes: [120, 60, 120, 60, 240],
  },
  unknown: {
    wave: 'triangle',
    notes: [
      [220, 0.12],
      [0, 0.05],
      [196, 0.12],
      [0, 0.05],
      [175, 0.24],
    ],
    shakes: [80, 60, 80, 60, 80],
  },
}

let audio: AudioContext | undefined

/** Phones are silent until they have been touched once, and iPhones again after a call, which interrupts. */
export const unlockAudio = (): void => {
  audio ??= new AudioContext()
  if (audio.state !== 'running') audio.resume().catch(() => undefined)
}

export const isAudioUnlocked = (): boolean => audio?.state === 'running'

export const playVerdict = (verdict: VerdictKind): void => {
  const { wave, notes, shakes } = MELODIES[verdict]
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(shakes)
  if (!audio || audio.state !== 'running' || isMuted.value) return
  let at = audio.currentTime
  for (const [hertz, seconds] of notes) {
    if (hertz > 0) playNote(audio, { wave, hertz, at, seconds })
    at += seconds
  }
}

const playNote = (
  context: AudioContext,
  { wave, hertz, at, seconds }: { wave: OscillatorType; hertz: number; at: number; seconds: number },
) => {
  const oscillator = context.createOscillator()
  const volume = context.createGain()
  oscillator.type = wave
  oscillator.frequency.value = hertz
  volume.gain.setValueAtTime(0.0001, at)
  volume.gain.exponentialRampToValueAtTime(0.5, at + 0.01)
  volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds)
  oscillator.connect(volume).connect(context.destination)
  oscillator.start(at)
  oscillator.stop(at + seconds)
}
