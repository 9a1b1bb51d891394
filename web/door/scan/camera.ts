import { signal } from '@preact/signals'
import { readSetting, writeSetting } from '../base/database.ts'

export type CameraState = 'off' | 'starting' | 'on' | 'denied' | 'missing' | 'failed'

export const cameraState = signal<CameraState>('off')
export const availableCameras = signal<readonly { id: string; label: string }[]>([])
export const cameraId = signal<string | null>(null)
export const torchState = signal<'none' | 'off' | 'on'>('none')

let stream: MediaStream | null = null
let worker: Worker | null = null
let onCode: (text: string) => void = () => {}

/** The same code is not read again for so long. */
const REPEAT_MS = 2_000
let lastText = ''
let lastSeenAt = 0

export const setCodeListener = (listener: (text: string) => void): void => {
  onCode = listener
}

const openWorker = () => {
  if (worker) return worker
  worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<{ text: string | null; fault?: string }>) => {
    isDecoding = false
    if (data.fault) console.error(data.fault)
    if (data.text) noteCode(data.text)
  })
  worker.addEventListener('error', () => (isDecoding = false))
  return worker
}

/** While it is held in front of the camera it is one scan. */
const noteCode = (text: string) => {
  const now = performance.now()
  const isRepeat = text === lastText && now - lastSeenAt < REPEAT_MS
  lastSeenAt = now
  if (isRepeat) return
  lastText = text
  onCode(text)
}

/** Asks for the camera; must come from a touch the first time. */
export const startCamera = async (video: HTMLVideoElement): Promise<void> => {
  cameraState.value = 'starting'
  stopStream()
  try {
    const wanted = cameraId.value ?? (await readSetting('cameraId')) ?? null
    stream = await openStream(wanted)
    video.srcObject = stream
    await video.play()
    await noteCameras()
    cameraState.value = 'on'
    openWorker()
    watch(video, stream)
  } catch (error) {
    stopStream()
    cameraState.value = faultOf(error)
  }
}

const openStream = async (id: string | null): Promise<MediaStream> => {
  const size = { width: { ideal: 1280 }, height: { ideal: 720 } }
  if (id !== null) {
    const chosen = await navigator.mediaDevices
      .getUserMedia({ video: { deviceId: { exact: id }, ...size }, audio: false })
      .catch((error: unknown) => {
        if (error instanceof DOMException && error.name === 'NotAllowedError') throw error
        return null
      })
    if (chosen) return chosen
  }
  return navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', ...size }, audio: false })
}

const faultOf = (error: unknown): CameraState => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || !navigator.mediaDevices ? 'missing' : 'failed'
}

const noteCameras = async () => {
  const track = stream?.getVideoTracks()[0]
  const capabilities = track?.getCapabilities?.() as { torch?: boolean } | undefined
  torchState.value = capabilities?.torch ? 'off' : 'none'
  cameraId.value = track?.getSettings().deviceId ?? null
  const devices = await navigator.mediaDevices.enumerateDevices()
  availableCameras.value = devices
    .filter(({ kind }) => kind === 'videoinput')
    .map(({ deviceId, label }) => ({ id: deviceId, label }))
}

/** The next camera, remembered for this phone. */
export const switchCamera = async (video: HTMLVideoElement): Promise<void> => {
  const at = availableCameras.value.findIndex(({ id }) => id === cameraId.value)
  const next = availableCameras.value[(at + 1) % availableCameras.value.length]
  if (!next) return
  cameraId.value = next.id
  await writeSetting('cameraId', next.id).catch(() => undefined)
  await startCamera(video)
}

export const switchTorch = async (): Promise<void> => {
  const isOn = torchState.value === 'on'
  const constraint = { advanced: [{ torch: !isOn }] } as unknown as MediaTrackConstraints
  await stream?.getVideoTracks()[0]?.applyConstraints(constraint)
  torchState.value = isOn ? 'off' : 'on'
}

const stopStream = () => {
  for (const track of stream?.getTracks() ?? []) track.stop()
  stream = null
}

export const stopCamera = (): void => {
  stopStream()
  cameraState.value = 'off'
}

let isDecoding = false

/** One picture at a time, the newest: what comes while one is read is let go. */
const watch = (video: HTMLVideoElement, watched: MediaStream) => {
  const next = () => {
    if (stream !== watched) return
    if (!isDecoding && video.videoWidth > 0) {
      isDecoding = true
      createImageBitmap(video).then(
        (frame) => openWorker().postMessage(frame, [frame]),
        () => (isDecoding = false),
      )
    }
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(next)
    else setTimeout(next, 60)
  }
  next()
  watched.getVideoTracks()[0]?.addEventListener('ended', () => {
    if (stream === watched) cameraState.value = 'failed'
  })
}
