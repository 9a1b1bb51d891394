/** Where a person lands who was on the way to nowhere in particular. */
export const CONSOLE_PATH = '/console'

export const SIGN_IN_LINK_MINUTES = 15

/**
 * More mails than this to one address for one purpose within an hour are not sent: those that were asked for in one browser
 * in which the person has signed in before, in all of these, and elsewhere.
 */
export const SIGN_IN_MAILS_PER_HOUR = { ofBrowser: 5, ofKnownBrowsers: 10 }

export const SIGN_IN_LINK_SEAL_PURPOSE = 'sign-in link'

/** Only an address of this installation is gone to; anything else leads home. */
export const safeReturnPath = (input: unknown): string =>
  typeof input === 'string' && input.length <= 500 && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(input)
    ? input
    : CONSOLE_PATH

export const formTextOf = (sent: Record<string, unknown>, name: string): string => {
  const value = sent[name]
  return typeof value === 'string' && value.isWellFormed() ? value.replaceAll('\0', '') : ''
}
