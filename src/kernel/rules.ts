/** How what people type at a door is read. Pure, so that the door app reads it the same way. */

/** What was typed at a door, as it is stored: upper case, without hyphens and spaces. */
export const normalizeCode = (typed: string) => typed.replace(/[\s-]/g, '').toUpperCase()

export const isCode = (text: string) => /^[A-HJ-NP-Z2-9]{8}$/.test(text)

export const isPublicId = (text: string) => /^[1-9A-HJ-NP-Za-km-z]{22}$/.test(text)
