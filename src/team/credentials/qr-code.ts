import { qrCodeOf } from '../../pdf/qr.ts'

const QUIET_ZONE = 4

/** A QR code as a picture that scales: dark squares on white, whatever stands around it. */
export const drawQrCode = (text: string): string => {
  const { size, bars } = qrCodeOf(text)
  const side = size + 2 * QUIET_ZONE
  const path = bars.map(({ x, y, length }) => `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h${length}v1h-${length}z`).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`
}
