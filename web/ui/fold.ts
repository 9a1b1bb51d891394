const isPlain = /^[\0-\u007F]*$/

/** How texts are compared: without case, accents and what only some languages write apart. */
export const fold = (text: string): string => (isPlain.test(text) ? text.toLowerCase() : foldLetters(text))

const foldLetters = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .replaceAll('ı', 'i')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
