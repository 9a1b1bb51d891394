/** A camera as the browser tells them apart: some give IDs anew whenever a page is opened, and the label stays. */
export interface Camera {
  id: string
  label: string
}

/** Asks for a camera: the one that is wanted, or one that looks away from whoever holds it. */
export const openCamera = async (wanted: Camera | null): Promise<MediaStream> => {
  const known = wanted && (await openCameraById(wanted.id))
  if (known) return known
  const first = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', ...PICTURE_SIZE },
    audio: false,
  })
  // Labels are told only to those who may look.
  const sameLabel = wanted && (await listCameras()).find(({ label }) => label !== '' && label === wanted.label)
  if (!sameLabel || sameLabel.id === cameraOfStream(first)?.id) return first
  closeCamera(first)
  return (await openCameraById(sameLabel.id)) ?? openCamera(null)
}

const PICTURE_SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } }

/** Null where there is none of this ID, or it does not open. */
const openCameraById = (id: string): Promise<MediaStream | null> =>
  navigator.mediaDevices
    .getUserMedia({ video: { deviceId: { exact: id }, ...PICTURE_SIZE }, audio: false })
    .catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') throw error
      return null
    })

export const listCameras = async (): Promise<Camera[]> =>
  (await navigator.mediaDevices.enumerateDevices())
    .filter(({ kind }) => kind === 'videoinput')
    .map(({ deviceId, label }) => ({ id: deviceId, label }))

export const cameraOfStream = (stream: MediaStream | null): Camera | null => {
  const track = stream?.getVideoTracks()[0]
  const id = track?.getSettings().deviceId
  return track && id !== undefined ? { id, label: track.label } : null
}

export const closeCamera = (stream: MediaStream | null): void => {
  for (const track of stream?.getTracks() ?? []) track.stop()
}

export type CameraFault = 'denied' | 'missing' | 'failed'

export const cameraFaultOf = (error: unknown): CameraFault => {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || !navigator.mediaDevices ? 'missing' : 'failed'
}

/** The same code is not read again for so long. */
const REPEAT_MS = 2_000

export interface CodeReader {
  /** Reads codes from what the camera sees, until its stream ends or another one is watched. */
  watch(video: HTMLVideoElement, stream: MediaStream): void
  /** What is in the picture is read again, though it has been all the time. */
  forget(): void
  close(): void
}

/** Whoever hears of a code says whether it was of use; one that came too early is read again while it is in the picture. */
export type CodeListener = (text: string) => boolean

/** Reads codes in a worker, so that nobody waits for it. */
export const openCodeReader = (onCode: CodeListener): CodeReader => {
  let watched: MediaStream | null = null
  let isDecoding = false
  let lastText = ''
  let lastSeenAt = 0

  const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<{ text: string | null; fault?: string }>) => {
    isDecoding = false
    if (data.fault) console.error(data.fault)
    if (data.text) noteCode(data.text)
  })
  worker.addEventListener('error', () => (isDecoding = false))

  /** While it is held in front of the camera it is one scan. */
  const noteCode = (text: string) => {
    const now = performance.now()
    const isRepeat = text === lastText && now - lastSeenAt < REPEAT_MS
    lastSeenAt = now
    if (isRepeat) return
    if (onCode(text)) lastText = text
    else if (text === lastText) lastText = ''
  }

  return {
    /** One picture at a time, the newest: what comes while one is read is let go. */
    watch: (video, stream) => {
      watched = stream
      const next = () => {
        if (watched !== stream || !stream.active) return
        if (!isDecoding && video.videoWidth > 0) {
          isDecoding = true
          createImageBitmap(video).then(
            (frame) => worker.postMessage(frame, [frame]),
            () => (isDecoding = false),
          )
        }
        if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(next)
        else setTimeout(next, 60)
      }
      next()
    },
    forget: () => {
      lastText = ''
    },
    close: () => {
      watched = null
      worker.terminate()
    },
  }
}
