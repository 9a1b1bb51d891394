/** What was uploaded on this page is shown from its own memory until it is saved. */
const local = new Map<string, string>()

export const rememberPreview = (signedId: string, file: File) => {
  local.set(signedId, URL.createObjectURL(file))
}

const KEPT = /\/images\/([0-9a-f]{64})\.[a-z]{3,4}$/

/** Where the console shows a picture from, its own address only; null: it is not here to be shown. */
export const previewUrlOf = (image: string): string | null => {
  const known = local.get(image)
  if (known) return known
  if (image.startsWith(`${location.origin}/`)) return image
  const digest = KEPT.exec(image)?.[1]
  return digest ? `/console/images/${digest}-320.webp` : null
}
