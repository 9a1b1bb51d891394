import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'

const ready = prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true })

let canvas: OffscreenCanvas | undefined

/** What the camera saw, as pixels; the picture itself goes away at once. */
const pixelsOf = (frame: ImageBitmap): ImageData => {
  canvas ??= new OffscreenCanvas(frame.width, frame.height)
  if (canvas.width !== frame.width || canvas.height !== frame.height) {
    canvas.width = frame.width
    canvas.height = frame.height
  }
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.drawImage(frame, 0, 0)
  frame.close()
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

const decode = async (frame: ImageBitmap): Promise<string | null> => {
  await ready
  const codes = await readBarcodes(pixelsOf(frame), {
    formats: ['QRCode'],
    tryHarder: true,
    tryInvert: true,
    tryRotate: true,
    tryDownscale: true,
    maxNumberOfSymbols: 1,
  })
  return codes.find(({ isValid, text }) => isValid && text !== '')?.text ?? null
}

self.addEventListener('message', ({ data }: MessageEvent<ImageBitmap>) => {
  decode(data).then(
    (text) => postMessage({ text }),
    (error: unknown) => postMessage({ text: null, fault: String(error) }),
  )
})

ready.then(
  () => postMessage({ isReady: true }),
  (error: unknown) => postMessage({ text: null, fault: String(error) }),
)
