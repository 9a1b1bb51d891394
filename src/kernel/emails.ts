const EMAIL_MAX = 255

const EMAIL = /^[^\s@<>(),:;"[\]\\]+@[^\s@<>(),:;"[\]\\.]+(\.[^\s@<>(),:;"[\]\\.]+)*$/u

/** An address as it is stored and compared. */
export const normalizeEmail = (text: string) => text.trim().toLowerCase()

export const isEmail = (text: string) => text.length <= EMAIL_MAX && EMAIL.test(text)
