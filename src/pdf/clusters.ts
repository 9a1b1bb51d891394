const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What a reader takes for one letter. */
export const graphemesOf = (text: string): string[] =>
  /^[\x20-\x7e]*$/.test(text) ? Array.from(text) : Array.from(graphemes.segment(text), ({ segment }) => segment)
