/** Where a person lands who was on the way to nowhere in particular. */
export const HOME = '/console'

export const LINK_MINUTES = 15

/** More mails than this to one address within an hour are not sent. */
export const MAILS_PER_HOUR = 5

export const NO_ADDRESS = 'That is not an email address.'

export const SEALED_LINK = 'sign-in link'

/** Only an address of this installation is gone to; anything else leads home. */
export const safeReturn = (wish: unknown): string =>
  typeof wish === 'string' && wish.length <= 500 && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(wish) ? wish : HOME

export const textOf = (sent: Record<string, unknown>, name: string): string => {
  const value = sent[name]
  return typeof value === 'string' && value.isWellFormed() ? value.replaceAll('\0', '') : ''
}
