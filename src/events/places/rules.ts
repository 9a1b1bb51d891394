/** Whoever sits there keeps what is written on the ticket. */
export const IS_CLAIMED_MESSAGE = 'is claimed'

const NAMED_MAX = 50

/** Some things by their names, of which there may be thousands. */
export const listNamesShortened = (names: readonly string[]): string => {
  const more = names.length - NAMED_MAX
  return names.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
