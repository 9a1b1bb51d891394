import { useEffect, useRef } from 'preact/hooks'
import { wordsOf } from '../base/language.ts'
import {
  cameraState,
  availableCameras,
  isLookedThrough,
  startCamera,
  stopCamera,
  switchCamera,
  switchTorch,
  torchState,
} from '../scan/camera.ts'
import { unlockAudio } from '../verdict/sounds.ts'
import { words } from './words.ts'

/** A camera that another app has just let go of opens a moment later. */
const RETRY_MS = 1_000
const RETRIES = 3

const mayStartAlone = async () => {
  const state = await navigator.permissions?.query({ name: 'camera' }).catch(() => null)
  return state?.state === 'granted'
}

/** What the camera sees, and the one touch that phones want before they see and sound. */
export const CameraView = () => {
  const w = wordsOf(words)
  const video = useRef<HTMLVideoElement>(null)
  const resumeAlone = async () => {
    const isAllowed = await mayStartAlone()
    if (isAllowed && video.current && document.visibilityState === 'visible') await startCamera(video.current)
  }
  useEffect(() => {
    const shown = video.current
    const resume = () => {
      if (document.visibilityState === 'visible' && !isLookedThrough(shown)) {
        void resumeAlone()
      } else if (document.visibilityState === 'hidden' && ['starting', 'on'].includes(cameraState.value)) {
        stopCamera(shown)
      }
    }
    resume()
    document.addEventListener('visibilitychange', resume)
    return () => {
      document.removeEventListener('visibilitychange', resume)
      stopCamera(shown)
    }
  }, [])
  const state = cameraState.value
  const failures = useRef(0)
  useEffect(() => {
    if (state === 'on') failures.current = 0
    if (state !== 'failed' || failures.current === RETRIES) return undefined
    const timer = setTimeout(() => {
      failures.current += 1
      void resumeAlone()
    }, RETRY_MS)
    return () => clearTimeout(timer)
  }, [state])
  const start = () => {
    unlockAudio()
    if (video.current) void startCamera(video.current)
  }
  return (
    <div class="camera" data-camera={state}>
      <video ref={video} playsInline muted aria-hidden="true" />
      {state === 'on' && <div class="aim" aria-hidden="true" />}
      {state !== 'on' && (
        <div class="camera-start">
          {state !== 'off' && <p role="status">{w.cameraStates[state]}</p>}
          {state !== 'starting' && (
            <button type="button" class="main" onClick={start}>
              {w.start}
            </button>
          )}
          {state === 'off' && <p class="second">{w.startHint}</p>}
        </div>
      )}
      {state === 'on' && (
        <div class="camera-tools">
          {torchState.value !== 'none' && (
            <button type="button" onClick={() => void switchTorch()}>
              {torchState.value === 'on' ? w.torchOff : w.torchOn}
            </button>
          )}
          {availableCameras.value.length > 1 && (
            <button type="button" onClick={() => video.current && void switchCamera(video.current)}>
              {w.camera}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
