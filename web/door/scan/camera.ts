import { signal } from '@preact/signals'
import {
  type Camera,
  type CameraFault,
  type CodeListener,
  type CodeReader,
  cameraFaultOf,
  cameraOfStream,
  closeCamera,
  listCameras,
  openCamera,
  openCodeReader,
} from '../../ui/camera/code-reader.ts'
import { readSetting, writeSetting } from '../base/database.ts'

export type CameraState = 'off' | 'starting' | 'on' | CameraFault

export const cameraState = signal<CameraState>('off')
export const availableCameras = signal<readonly Camera[]>([])
const camera = signal<Camera | null>(null)
export const torchState = signal<'none' | 'off' | 'on'>('none')

let stream: MediaStream | null = null
/** Where it is looked through, or about to be. */
let shownIn: HTMLVideoElement | null = null
let reader: CodeReader | null = null

export const isLookedThrough = (video: HTMLVideoElement | null): boolean =>
  cameraState.value === 'on' && shownIn === video

let onCode: CodeListener = () => false

export const setCodeListener = (listener: CodeListener): void => {
  onCode = listener
}

/** What was read so far was meant for something else. */
export const forgetLastCode = (): void => reader?.forget()

/** Counts what was asked of the camera: whoever waits for it may have been overtaken when it comes. */
let latest = 0

/** A camera that was let go of a moment ago may open and show nothing. */
const PICTURE_MS = 5_000

const waitForPicture = async (video: HTMLVideoElement) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The camera shows nothing.')), PICTURE_MS)
  })
  await Promise.race([video.play(), late]).finally(() => clearTimeout(timer))
}

/** Asks for the camera; must come from a touch the first time. */
export const startCamera = async (video: HTMLVideoElement): Promise<void> => {
  stopStream()
  shownIn = video
  cameraState.value = 'starting'
  const own = latest
  const isOvertaken = () => own !== latest
  try {
    const wanted = camera.value ?? (await readSetting('camera')) ?? null
    const opened = await openCamera(wanted)
    if (isOvertaken()) return closeCamera(opened)
    stream = opened
    video.srcObject = opened
    await waitForPicture(video)
    await noteCameras()
    if (isOvertaken()) return
    cameraState.value = 'on'
    watch(video, opened)
  } catch (error) {
    if (isOvertaken()) return
    stopStream()
    cameraState.value = cameraFaultOf(error)
  }
}

const noteCameras = async () => {
  const track = stream?.getVideoTracks()[0]
  const capabilities = track?.getCapabilities?.() as { torch?: boolean } | undefined
  torchState.value = capabilities?.torch ? 'off' : 'none'
  camera.value = cameraOfStream(stream)
  availableCameras.value = await listCameras()
}

/** The next camera, remembered for this phone. */
export const switchCamera = async (video: HTMLVideoElement): Promise<void> => {
  const at = availableCameras.value.findIndex(({ id }) => id === camera.value?.id)
  const next = availableCameras.value[(at + 1) % availableCameras.value.length]
  if (!next) return
  camera.value = next
  const started = startCamera(video)
  await writeSetting('camera', next).catch(() => undefined)
  await started
}

/** Some phones say that they have a light and refuse it, say on a low battery: then it is not offered any longer. */
export const switchTorch = async (): Promise<void> => {
  const own = latest
  const isOn = torchState.value === 'on'
  const constraint = { advanced: [{ torch: !isOn }] } as unknown as MediaTrackConstraints
  const isDone = await stream
    ?.getVideoTracks()[0]
    ?.applyConstraints(constraint)
    .then(
      () => true,
      () => false,
    )
  // Another camera has a light of its own.
  if (own === latest) torchState.value = !isDone ? 'none' : isOn ? 'off' : 'on'
}

const stopStream = () => {
  latest += 1
  closeCamera(stream)
  stream = null
}

/** Whoever leaves takes nothing from the view that has the camera by now. */
export const stopCamera = (video: HTMLVideoElement | null): void => {
  if (shownIn !== video) return
  stopStream()
  cameraState.value = 'off'
}

const watch = (video: HTMLVideoElement, watched: MediaStream) => {
  reader ??= openCodeReader((text) => onCode(text))
  reader.watch(video, watched)
  watched.getVideoTracks()[0]?.addEventListener('ended', () => {
    if (stream === watched) cameraState.value = 'failed'
  })
}
