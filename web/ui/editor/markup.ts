const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What is kept may be text without a tag: its empty lines part paragraphs. */
export const storedToEditorHtml = (kept: string): string =>
  /<[a-z/!]|&[a-z#]/i.test(kept)
    ? kept
    : kept
        .split(/\n{2,}/)
        .map((paragraph) => `<p>${escapeText(paragraph).replaceAll('\n', '<br>')}</p>`)
        .join('')

/** A document with nothing in it is no text. */
export const editorHtmlToStored = (html: string): string => (html === '<p></p>' ? '' : html)

/** The addresses that the server leaves in a link. */
export const isLinkAddress = (address: string): boolean => /^(?:https?:\/\/|mailto:)\S+$/i.test(address)
